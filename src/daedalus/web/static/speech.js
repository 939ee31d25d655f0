// What is said to those who do not look: a live region, and the board as text.

import { el } from "./dom.js";

let last = "";

/** @param {string} text */
export function say(text) {
  const region = document.getElementById("say");
  if (!region || !text) return;
  region.textContent = text === last ? `${text}\u00a0` : text; // the same words twice are said twice
  last = region.textContent ?? "";
}

/** Last move and whose turn it is. @param {any} state */
export function sayState(state) {
  if (state.outcome) return say(`${state.last_spoken ?? ""} ${state.outcome.sentence}`);
  const turn = state.turn === null ? "" : state.you.includes(state.turn) ? "Your turn." : `${state.seats[state.turn]?.name} to move.`;
  say(`${state.last_spoken ?? ""} ${turn}`.trim());
}

/** The board as text with its description. @param {string} board @param {string} spoken */
export function textBoard(board, spoken) {
  return el("div", { class: "text-board", tabindex: 0, role: "region", "aria-label": "Board as text" }, el("pre", {}, board), el("p", {}, spoken));
}

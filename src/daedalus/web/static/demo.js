// A card's picture: a position that comes alive, some moves of a good game, while one points at it or taps it.

import { api } from "./api.js";
import { el } from "./dom.js";

const PAUSE = 900; // milliseconds between two moves
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** @param {any} game @returns {HTMLElement} */
export function demo(game) {
  const board = el("daedalus-board", { board: true });
  const box = el("div", { class: "picture", "aria-hidden": "true" }, board);
  board.show({ svg: game.board });
  /** @type {string[]|null} */ let boards = null;
  let ticking = 0;
  let at = 0;

  function step() {
    if (!boards || !box.isConnected) return stop();
    at = (at + 1) % boards.length;
    board.show({ svg: boards[at], still: at === 0 });
  }
  async function start() {
    if (ticking || still.matches) return;
    ticking = window.setInterval(step, PAUSE);
    boards ??= (await api.demo(game.id).catch(() => ({ boards: null }))).boards;
    at = 0;
    if (boards && ticking) board.show({ svg: boards[0], still: true });
  }
  function stop() {
    clearInterval(ticking);
    ticking = 0;
    board.show({ svg: game.board, still: true });
  }
  box.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && start());
  box.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && stop());
  box.addEventListener("click", () => (ticking ? stop() : start()));
  return box;
}

// The buttons of a table: those at hand, and the rest behind "More".

import { ask, button, dialog, el, fill } from "./dom.js";
import { rulesDialog } from "./rules.js";
import { copyPosition, saveRecord, shareDialog } from "./share.js";

const PACES = [[0, "as fast as it goes"], [0.5, "half a second a move"], [1, "a second a move"], [2, "two seconds a move"], [5, "five seconds a move"]];
const KEYS = "Arrows walk the lit places, with Shift all places; Enter chooses, Escape takes back. Page Up and Page Down step through the moves, Home and End go to the first and the last. H hint, U undo, R redo, F flip, M type a move, T text board.";

/** @param {any} table what table.js offers: model, send, flip, hint, toggleText, typeMove */
export function resign(table) {
  ask("Resign this game?", "Yes, resign").then((yes) => yes && table.send({ type: "resign" }));
}

/** @param {any} table */
function more(table) {
  const { state, look } = table.model;
  const can = state.actions;
  const shown = look ?? state;
  const item = (/** @type {string} */ label, /** @type {() => void} */ action, enabled = true) => (enabled ? button(label, () => { box.close(); action(); }) : null);
  const pace = el("select", { id: "pace", onchange: () => table.send({ type: "pace", seconds: Number(pace.value) }) }, ...PACES.map(([value, label]) => el("option", { value }, label)));
  if (state.watching) pace.value = String(state.watching.pace ?? 1);
  const box = dialog("More",
    el("div", { class: "menu" },
      item("Redo", () => table.send({ type: "redo" }), can.redo),
      item("Offer a draw", () => table.send({ type: "draw", accept: true }), can.draw && state.offer === null),
      item("Rematch", () => table.send({ type: "rematch" }), can.rematch),
      item("Resign", () => resign(table), can.resign),
      item("Flip the board", () => table.flip()),
      item("Rules", () => rulesDialog(state.game)),
      item("Share", () => shareDialog(state)),
      item("Type a move", () => table.typeMove(), state.legal.length > 0),
      item(table.model.text ? "Hide the text board" : "Text board", () => table.toggleText()),
      item("Copy position", () => copyPosition(shown.position)),
      item("Save record", () => saveRecord(state)),
      item("Help", () => table.go("/help")),
      item("New set-up", () => table.go(`/new/${state.game}`))),
    state.watching ? el("div", { class: "field" }, el("label", { for: "pace" }, "Pace"), pace) : null,
    el("p", { class: "quiet-text keys" }, KEYS));
}

/** @param {HTMLElement} box @param {any} table */
export function actions(box, table) {
  const { state, thinkingOfHint } = table.model;
  const can = state.actions;
  const act = (/** @type {string} */ label, /** @type {() => void} */ action, enabled = true, kind = "") => button(label, action, { disabled: !enabled, class: kind });
  const watching = state.watching;
  const first = state.outcome
    ? [act("Rematch", () => table.send({ type: "rematch" }), can.rematch, "primary"), act("Save", () => saveRecord(state)), act("Share", () => shareDialog(state), true, "roomy")]
    : watching
      ? [act(watching.paused ? "Go on" : "Pause", () => table.send({ type: "pause", paused: !watching.paused }), can.pause), act("Step", () => table.send({ type: "step" }), watching.paused), act("Share", () => shareDialog(state), true, "roomy")]
      : state.you.length
        ? [act(thinkingOfHint ? "Stop" : "Hint", () => table.hint(), can.hint || thinkingOfHint), act("Undo", () => table.send({ type: "undo" }), can.undo), act("Redo", () => table.send({ type: "redo" }), can.redo, "roomy"), act("Draw", () => table.send({ type: "draw", accept: true }), can.draw && state.offer === null, "roomy"), act("Resign", () => resign(table), can.resign)]
        : [act("Share", () => shareDialog(state))];
  const key = JSON.stringify([can, watching, !!state.outcome, state.offer, thinkingOfHint, state.you]);
  if (box.dataset.key === key) return;
  const focused = box.contains(document.activeElement) ? document.activeElement?.textContent : null;
  box.dataset.key = key;
  fill(box, ...first, act("Flip", () => table.flip()), act("More", () => more(table)));
  if (focused) [...box.querySelectorAll("button")].find((each) => each.textContent === focused)?.focus();
}

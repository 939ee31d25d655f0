// The board in a notebook: the page's own elements, fed by a widget's model instead of a socket.

import "../../web/static/board.js";
import { button, el, fill } from "../../web/static/dom.js";
import { keepFocus, noteFocus, walkTouches } from "../../web/static/keys.js";
import { thoughtText } from "../../web/static/seats.js";
import { Touching } from "../../web/static/touching.js";

/** One view of a widget. @param {{model: any, el: HTMLElement}} view @returns {() => void} ends it */
export function render({ model, el: root }) {
  const board = el("daedalus-board", { board: true });
  const status = el("p", { class: "status", role: "status" });
  const [beside, thinking, moves] = ["beside", "thinking", "moves"].map((name) => el("div", { class: name }));
  const thought = el("span", { class: "thought" });
  const value = el("i");
  fill(thinking, el("div", { class: "value", title: "how the agent likes its position" }, value), thought, button("Move now", () => model.send({ type: "now" })));
  const slider = el("input", { type: "range", min: 0, step: 1, "aria-label": "Move of the record", oninput: () => model.send({ type: "look", ply: Number(slider.value) }) });
  const area = el("div", { class: "daedalus" }, el("div", { class: "board" }, board, slider), el("div", { class: "words" }, status, beside, thinking, moves));
  /** @type {Map<string, any>} */ const parts = new Map();
  const state = () => model.get("state");
  const touching = new Touching(
    (touched) => model.send({ type: "preview", ply: state().ply, touched }),
    (move) => model.send({ type: "move", ply: state().ply, move }),
    draw,
  );
  let refused = "";

  function draw() {
    const now = state();
    const note = noteFocus(area);
    const shown = touching.shown ?? now;
    const agent = model.get("thought");
    const common = { lit: touching.lit, chosen: touching.touched, hint: agent?.touches ?? [], armed: touching.armed, seat: now.turn };
    board.show({ ...common, svg: shown.board, label: `Board. ${now.spoken}` });
    fill(beside, ...shown.beside.map((/** @type {any} */ part) => drawPart(part, now, common)));
    status.textContent = refused || now.status;
    thinking.hidden = now.thinking === null;
    thought.textContent = agent ? thoughtText(agent) : "thinking …";
    value.style.width = `${((agent?.value ?? 0) + 1) * 50}%`;
    slider.hidden = now.plies === null;
    slider.max = String(now.plies ?? 0);
    slider.value = String(now.ply);
    fill(moves, ...now.moves.map((/** @type {any} */ move, /** @type {number} */ ply) => el("span", { title: move.spoken, class: ply + 1 === now.ply ? "here" : null }, move.text)));
    keepFocus(area, note);
  }
  /** What lies beside the board keeps its element, so that it is animated too. @param {any} part @param {any} now @param {any} common */
  function drawPart(part, now, common) {
    const key = `${part.name}/${part.seat}`;
    const kept = parts.get(key) ?? { picture: el("daedalus-board"), title: el("small"), node: el("div", { class: "part" }) };
    if (!parts.has(key)) fill(kept.node, kept.title, kept.picture);
    parts.set(key, kept);
    const owner = part.seat === null ? part.name : now.names[part.seat];
    kept.title.textContent = part.label ? `${owner}: ${part.label}` : owner;
    kept.picture.show({ ...common, svg: part.svg, label: part.label || part.name });
    return kept.node;
  }
  function changed() {
    refused = "";
    touching.start(state().next);
    draw();
  }
  /** @param {any} message */
  function heard(message) {
    if (message.type === "preview") return touching.answer(message);
    if (message.type !== "refused") return;
    changed();
    refused = message.reason;
    draw();
  }

  area.addEventListener("board-touch", (/** @type {any} */ event) => touching.touch(event.detail.touch, event.detail.confirm));
  area.addEventListener("board-drag", (/** @type {any} */ event) => touching.drag(event.detail.from, event.detail.to));
  area.addEventListener("board-away", (/** @type {any} */ event) => touching.away(event.detail.touch));
  walkTouches(area, (touch) => touching.touch(touch), (name) => { status.textContent = name; });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Escape") touching.back();
    event.stopPropagation(); // a notebook has commands on letters and arrows
  });
  const listening = [["change:state", changed], ["change:thought", draw], ["msg:custom", heard]];
  for (const [name, listener] of listening) model.on(name, listener);
  root.append(area); // first: pictures are measured where they are shown
  changed();
  return () => { for (const [name, listener] of listening) model.off(name, listener); };
}

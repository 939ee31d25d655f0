// The list of moves, to step through without disturbing the game.

import { button, el, fill } from "./dom.js";

export class Moves {
  /** @param {HTMLElement} box @param {(ply: number) => void} look */
  constructor(box, look) {
    this.look = look;
    this.list = el("div", { class: "list", role: "group", "aria-label": "Moves" });
    const step = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => number} */ where) => button(sign, () => this.go(where()), { class: "step", "aria-label": label, title: label });
    this.first = step("«", "To the start", () => 0);
    this.back = step("‹", "One move back", () => this.at - 1);
    this.forward = step("›", "One move on", () => this.at + 1);
    this.last = step("»", "To the last move", () => this.plies);
    fill(box, el("div", { class: "steps" }, this.first, this.back, this.forward, this.last), this.list);
    this.at = 0;
    this.plies = 0;
    this.key = "";
  }

  /** @param {number} ply */
  go(ply) {
    if (ply >= 0 && ply <= this.plies) this.look(ply);
  }

  /** @param {any[]} moves @param {number} at the position that is shown: after so many moves @param {number} seats */
  update(moves, at, seats) {
    const key = `${moves.map((move) => move.text).join(" ")}|${at}`;
    this.at = at;
    this.plies = moves.length;
    this.first.disabled = this.back.disabled = at === 0;
    this.forward.disabled = this.last.disabled = at === moves.length;
    if (key === this.key) return;
    this.key = key;
    const pairs = seats === 2 && moves.every((move, ply) => move.seat === ply % 2);
    this.list.classList.toggle("pairs", pairs);
    const nodes = moves.flatMap((move, ply) => [
      ply % (pairs ? 2 : 1) === 0 ? el("span", { class: "number" }, pairs ? ply / 2 + 1 : ply + 1) : null,
      button(move.text, () => this.go(ply + 1), { class: ply + 1 === at ? "move here" : "move", title: move.spoken, "aria-label": move.spoken ? `${move.text}, ${move.spoken}` : move.text, "aria-current": ply + 1 === at ? "true" : null }),
    ]).filter(Boolean);
    fill(this.list, ...nodes);
    if (!moves.length) this.list.append(el("span", { class: "number none" }, "No moves yet"));
    const here = this.list.querySelector(".here");
    if (here) {
      this.list.scrollTop = here.offsetTop - this.list.clientHeight / 2;
      this.list.scrollLeft = here.offsetLeft - this.list.clientWidth / 2;
    }
  }
}

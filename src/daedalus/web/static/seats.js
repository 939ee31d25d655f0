// The seats around a board: who sits there, clock, what lies beside the board, what an agent thinks.

import { button, el, fill } from "./dom.js";

/** @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(seconds, 0);
  const whole = Math.floor(left);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (left < 20) return `0:${String(rest).padStart(2, "0")}.${Math.floor((left % 1) * 10)}`;
  return (hours ? `${hours}:${String(minutes).padStart(2, "0")}` : `${minutes}`) + `:${String(rest).padStart(2, "0")}`;
}

/** A thought in one line. @param {any} thought */
export function thoughtText(thought) {
  const parts = [];
  if (thought.depth) parts.push(`depth ${thought.depth}`);
  if (typeof thought.value === "number") parts.push(`${thought.value >= 0 ? "+" : "−"}${Math.abs(thought.value).toFixed(2)}`);
  if (thought.line?.length) parts.push(thought.line.join(" "));
  return parts.join(" · ") || "thinking …";
}

export class Seats {
  /** @param {HTMLElement} top @param {HTMLElement} common @param {HTMLElement} bottom @param {(type: string) => void} send */
  constructor(top, common, bottom, send) {
    this.top = top;
    this.common = common;
    this.bottom = bottom;
    this.send = send;
    /** @type {Map<number, any>} */ this.panels = new Map();
    /** @type {Map<string, any>} */ this.parts = new Map();
    this.received = 0;
    /** @type {any} */ this.state = null;
  }

  /** @param {number} number */
  panel(number) {
    let panel = this.panels.get(number);
    if (!panel) {
      panel = { name: el("b"), label: el("small"), clock: el("time"), turn: el("span", { class: "turn-mark" }), said: el("small", { class: "said" }), parts: el("div", { class: "parts" }), thought: el("span", { class: "thought" }), now: button("Move now", () => this.send("now"), { class: "small" }) };
      panel.think = el("div", { class: "think" }, panel.thought, panel.now);
      panel.node = el("section", { class: "seat" }, el("div", { class: "who" }, el("div", { class: "names" }, panel.name, panel.label, panel.turn), panel.said), panel.clock, panel.parts, panel.think);
      this.panels.set(number, panel);
    }
    return panel;
  }

  /**
   * @param {any} state @param {any[]} beside the parts that are shown @param {any} thought
   * @param {(part: any) => any} shown what a part's picture is to show
   */
  update(state, beside, thought, shown) {
    if (state !== this.state) this.received = performance.now();
    this.state = state;
    const low = state.you.length === 1 ? state.you[0] : state.flip ? state.seats.length - 1 : 0;
    const order = state.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => seat).filter((/** @type {number} */ seat) => seat !== low);
    this.place(this.top, order.map((/** @type {number} */ seat) => this.panel(seat).node));
    this.place(this.bottom, [this.panel(low).node]);
    state.seats.forEach((/** @type {any} */ seat, /** @type {number} */ number) => {
      const panel = this.panel(number);
      const own = state.you.includes(number);
      panel.node.classList.toggle("turn", state.turn === number && !state.outcome);
      panel.node.classList.toggle("own", own);
      panel.node.setAttribute("aria-label", `Seat of ${seat.name}`);
      panel.name.textContent = seat.name;
      panel.label.textContent = own ? "you" : seat.who === "open" ? "waiting for somebody" : seat.label;
      const gone = seat.who === "human" && !own && !seat.connected && !state.outcome;
      panel.turn.textContent = gone ? "away" : state.outcome ? (state.outcome.winner === number ? "won" : "") : state.turn === number ? (own ? "your turn" : state.thinking === number ? "thinking" : "to move") : "";
      panel.said.textContent = beside.filter((part) => part.seat === number && part.label).map((part) => part.label).join(" · ");
      const thinking = state.thinking === number;
      panel.think.hidden = !thinking;
      panel.thought.textContent = thinking ? (thought ? thoughtText(thought) : "thinking …") : "";
      panel.now.hidden = !state.actions.now;
      this.fillParts(panel.parts, beside.filter((part) => part.seat === number), shown);
    });
    this.fillParts(this.common, beside.filter((part) => part.seat === null), shown, true);
    this.tick();
  }

  /** @param {HTMLElement} box @param {Element[]} nodes */
  place(box, nodes) {
    if (nodes.length !== box.children.length || nodes.some((node, index) => box.children[index] !== node)) fill(box, ...nodes);
  }

  /** @param {HTMLElement} box @param {any[]} parts @param {(part: any) => any} shown @param {boolean} [named] */
  fillParts(box, parts, shown, named = false) {
    const wanted = parts.map((part) => {
      const key = `${part.name}/${part.seat}`;
      let kept = this.parts.get(key);
      if (!kept) {
        const picture = el("daedalus-board");
        const label = el("small");
        kept = { picture, label, node: el("div", { class: "part" }, named ? label : null, picture) };
        this.parts.set(key, kept);
      }
      kept.label.textContent = part.label ? `${part.name}: ${part.label}` : part.name;
      return [kept, part];
    });
    this.place(box, wanted.map(([kept]) => kept.node));
    for (const [kept, part] of wanted) kept.picture.show(shown(part));
  }

  /** Clocks go on between two states. */
  tick() {
    const { state } = this;
    if (!state) return;
    state.seats.forEach((/** @type {any} */ seat, /** @type {number} */ number) => {
      const panel = this.panel(number);
      panel.clock.hidden = seat.clock === null || seat.clock === undefined;
      if (panel.clock.hidden) return;
      const gone = state.clock_runs === number ? (performance.now() - this.received) / 1000 : 0;
      const text = clockText(seat.clock - gone);
      if (panel.clock.textContent !== text) panel.clock.textContent = text;
      panel.clock.classList.toggle("low", seat.clock - gone < 20);
    });
  }
}

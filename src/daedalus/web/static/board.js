// <daedalus-board>: one picture whose touches are lit, hovered, tapped, dragged. Properties in, events out; knows no server.
//
//   board.show({svg, lit: {touch: {name, move}}, chosen: [touches], hint: [touches], armed: touch|null, seat, label, still})
//   "board-touch"  {touch, pointer}      a lit touch was tapped or clicked
//   "board-drag"   {from, to}            a piece was dragged from one touch to another
//   "board-away"                         something else was tapped

import { picture } from "./svg.js";
import { places, travel } from "./animate.js";

const NS = "http://www.w3.org/2000/svg";
const FAR = 7; // pixels before a press is a drag

/** @typedef {{name: string, move: string|null}} Next */
/** @typedef {{svg: string, lit?: Object<string, Next>, chosen?: string[], hint?: string[], armed?: string|null, seat?: number|null, label?: string, still?: boolean}} Shown */

export class DaedalusBoard extends HTMLElement {
  constructor() {
    super();
    /** @type {Shown} */ this.shown = { svg: "" };
    /** @type {SVGSVGElement|null} */ this.svg = null;
    this.text = "";
    /** @type {any} */ this.press = null;
  }

  connectedCallback() {
    if (this.ready) return;
    this.ready = true;
    this.addEventListener("pointerdown", (event) => this.down(event));
    this.addEventListener("pointermove", (event) => this.move(event));
    this.addEventListener("pointerup", (event) => this.up(event));
    this.addEventListener("pointercancel", () => this.drop());
    this.addEventListener("click", (event) => this.click(event));
    this.addEventListener("focusin", (event) => this.ring(event.target));
    this.addEventListener("focusout", () => this.ring(null));
    this.light();
  }

  /** One call shows everything. @param {Shown} shown */
  show(shown) {
    this.shown = shown;
    if (shown.svg !== this.text) {
      const before = shown.still ? new Map() : places(this.svg);
      this.svg = picture(shown.svg);
      this.text = shown.svg;
      this.svg.setAttribute("role", "group");
      for (const node of this.svg.querySelectorAll("[aria-label]:not([role])")) node.setAttribute("role", "img");
      this.replaceChildren(this.svg);
      travel(before, this.svg);
    }
    this.svg?.setAttribute("aria-label", shown.label ?? "Board");
    if (this.isConnected) this.light();
  }

  /** Which touches are lit, chosen, hinted; each is labelled for those who cannot see. */
  light() {
    if (!this.svg) return;
    const { lit = {}, chosen = [], hint = [], armed = null } = this.shown;
    this.svg.querySelector(".marks")?.remove();
    const marks = document.createElementNS(NS, "g");
    marks.setAttribute("class", "marks");
    marks.setAttribute("pointer-events", "none");
    this.svg.append(marks);
    const nodes = [...this.svg.querySelectorAll("[data-touch]")];
    const ghosts = nodes.filter((node) => node.getAttribute("data-touch") in lit && node.querySelector(".ghost"));
    for (const node of nodes) {
      const touch = node.getAttribute("data-touch") ?? "";
      const next = lit[touch];
      node.classList.toggle("lit", !!next);
      node.classList.toggle("armed", touch === armed);
      node.classList.toggle("hinted", hint.includes(touch));
      node.classList.toggle("few", ghosts.length <= 8);
      node.setAttribute("role", next ? "button" : "img");
      if (next) node.setAttribute("aria-label", named(next.name, node.textContent?.trim() ?? ""));
      node.setAttribute("tabindex", "-1");
      if (hint.includes(touch)) marks.append(this.frame(node, "hint"));
      else if (chosen.includes(touch)) marks.append(this.frame(node, "chosen"));
      else if (next && !node.querySelector(".ghost")) marks.append(this.mark(node));
    }
  }

  /** The box of a touch in the picture's own lengths. @param {Element} node */
  box(node) {
    const inner = /** @type {SVGGraphicsElement} */ (node.querySelector("[pointer-events=all]") ?? node);
    const svg = /** @type {SVGSVGElement} */ (this.svg);
    const { x, y, width, height } = inner.getBBox();
    const [outer, here] = [svg.getScreenCTM(), inner.getScreenCTM()];
    const matrix = outer && here ? outer.inverse().multiply(here) : svg.createSVGMatrix();
    const corners = [[x, y], [x + width, y + height]].map(([px, py]) => new DOMPoint(px, py).matrixTransform(matrix));
    const [left, right] = [corners[0].x, corners[1].x].sort((a, b) => a - b);
    const [top, bottom] = [corners[0].y, corners[1].y].sort((a, b) => a - b);
    return { x: left, y: top, width: right - left, height: bottom - top };
  }

  /** A dot on a free cell; a frame around a piece, a card, a button. @param {Element} node */
  mark(node) {
    const box = this.box(node);
    const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
    const cell = this.hasAttribute("board") && box.width / box.height < 1.6 && box.height / box.width < 1.6;
    const occupied = this.pieceAt(middleX, middleY);
    if (!cell || occupied) return this.frame(node, "go");
    const dot = document.createElementNS(NS, "circle");
    for (const [name, value] of Object.entries({ class: "dot", cx: middleX, cy: middleY, r: Math.min(box.width, box.height) * 0.15 })) dot.setAttribute(name, String(value));
    return dot;
  }

  /** @param {Element} node @param {string} kind */
  frame(node, kind) {
    const { x, y, width, height } = this.box(node);
    const inset = Math.min(width, height) > 20 ? 2.5 : -1;
    const frame = document.createElementNS(NS, "rect");
    for (const [name, value] of Object.entries({ class: kind, x: x + inset, y: y + inset, width: Math.max(width - 2 * inset, 1), height: Math.max(height - 2 * inset, 1), rx: 6 })) frame.setAttribute(name, String(value));
    return frame;
  }

  /** Is a piece standing around a point? @param {number} x @param {number} y */
  pieceAt(x, y) {
    return [...(this.svg?.querySelectorAll("[data-piece]") ?? [])].some((piece) => {
      const at = /translate\(\s*([-\d.]+)[\s,]+([-\d.]+)/.exec(piece.getAttribute("transform") ?? "");
      return at && Math.hypot(Number(at[1]) - x, Number(at[2]) - y) < 4;
    });
  }

  /** The frame of what has the keyboard's focus. @param {any} target */
  ring(target) {
    this.svg?.querySelector(".marks .focus")?.remove();
    const node = target?.closest?.("[data-touch]");
    if (node) this.svg?.querySelector(".marks")?.append(this.frame(node, "focus"));
  }

  /** @param {string} type @param {any} detail */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }

  /** @param {any} event */
  click(event) {
    if (this.dragged) return void (this.dragged = false);
    const node = event.target.closest("[data-touch]");
    const touch = node?.getAttribute("data-touch");
    if (touch && this.shown.lit?.[touch]) {
      const finger = event.pointerType === "touch" && !!node.querySelector(".ghost");
      this.tell("board-touch", { touch, confirm: finger });
    } else this.tell("board-away", { touch: touch ?? null });
  }

  /** @param {any} event */
  down(event) {
    if (event.button || !Object.keys(this.shown.lit ?? {}).length) return;
    const from = event.target.closest("[data-touch]")?.getAttribute("data-touch") ?? null;
    const pieces = [...(this.svg?.querySelectorAll("[data-piece]") ?? [])].reverse();
    const inside = (/** @type {Element} */ piece) => {
      const box = piece.getBoundingClientRect();
      return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    };
    const piece = pieces.find(inside) ?? (this.hasAttribute("board") ? null : event.target.closest("[data-touch]"));
    const mine = from !== null && (this.shown.lit?.[from] || piece?.getAttribute("data-piece")?.endsWith(`-${this.shown.seat}`));
    if (piece && mine) this.press = { from, piece, x: event.clientX, y: event.clientY, id: event.pointerId, float: null };
  }

  /** @param {any} event */
  move(event) {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    if (!press.float && Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR) {
      press.float = this.lift(press.piece);
      this.setPointerCapture(event.pointerId);
    }
    if (press.float) press.float.style.transform = `translate(${event.clientX - press.x}px, ${event.clientY - press.y}px)`;
  }

  /** A copy of a piece that follows the pointer. @param {SVGGraphicsElement} piece */
  lift(piece) {
    const box = piece.getBoundingClientRect();
    const own = piece.getBBox();
    const svg = document.createElementNS(NS, "svg");
    svg.setAttribute("viewBox", `${own.x} ${own.y} ${own.width} ${own.height}`);
    const copy = /** @type {Element} */ (piece.cloneNode(true));
    copy.removeAttribute("transform");
    svg.append(copy);
    svg.classList.add("lifted");
    Object.assign(svg.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
    document.body.append(svg);
    piece.classList.add("away");
    return svg;
  }

  /** @param {any} event */
  up(event) {
    const press = this.press;
    this.drop();
    if (!press?.float) return;
    this.dragged = true; // the click that follows is not a tap
    setTimeout(() => { this.dragged = false; }, 50);
    const to = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-touch]")?.getAttribute("data-touch");
    if (to && to !== press.from) this.tell("board-drag", { from: press.from, to });
  }

  drop() {
    this.press?.piece.classList.remove("away");
    this.press?.float?.remove();
    this.press = null;
  }
}

/** What is written on a thing is in its name, so that it can be called by it. @param {string} name @param {string} written */
const named = (name, written) => (name.toLowerCase().includes(written.toLowerCase()) ? name : `${written}, ${name}`);

// a notebook may load this more than once
if (!customElements.get("daedalus-board")) customElements.define("daedalus-board", DaedalusBoard);

// A move under way: which touches were made, which come next. Knows neither server nor page.

/** @typedef {import("./board.js").Next} Next */

export class Touching {
  /** @param {(touched: string[]) => void} preview asks for the picture of a begun move @param {(move: string) => void} play @param {() => void} changed */
  constructor(preview, play, changed) {
    this.preview = preview;
    this.play = play;
    this.changed = changed;
    this.start({});
  }

  /** A new position. @param {Object<string, Next>} next */
  start(next) {
    /** @type {Object<string, Next>} */ this.first = next;
    this.reset();
  }

  reset() {
    /** @type {string[]} */ this.touched = [];
    /** @type {any} */ this.shown = null; // the preview that is shown
    /** @type {string[]} */ this.queue = [];
    /** @type {string|null} */ this.armed = null;
    this.waiting = false;
  }

  /** What may be touched now. */
  get lit() {
    return this.waiting ? {} : this.shown ? this.shown.next : this.first;
  }

  /** @param {string} touch @param {boolean} [confirm] a finger wants to see it first */
  touch(touch, confirm = false) {
    if (this.waiting) return void this.queue.push(touch);
    const next = this.lit[touch];
    if (!next) return this.away(touch);
    if (next.move !== null) {
      if (confirm && this.armed !== touch) {
        this.armed = touch;
        return this.changed();
      }
      const move = next.move;
      this.reset();
      this.first = {};
      this.changed();
      return this.play(move);
    }
    this.armed = null;
    this.touched = [...this.touched, touch];
    this.ask();
  }

  /** A piece was dragged: straight to a lit place, or first taken up. @param {string} from @param {string} to */
  drag(from, to) {
    if (this.lit[to]) return this.touch(to);
    if (!this.lit[from]) return;
    this.touch(from);
    if (this.waiting) this.queue.push(to);
  }

  /** Something that is not lit: the begun move is taken back, or begun anew. @param {string|null} [touch] */
  away(touch = null) {
    if (!this.touched.length && !this.armed) return;
    const again = touch !== null && this.touched[0] !== touch && touch in this.first;
    this.reset();
    this.changed();
    if (again) this.touch(touch);
  }

  /** Takes back one touch. @returns {boolean} whether there was one */
  back() {
    if (this.armed) this.armed = null;
    else if (this.touched.length) {
      this.touched = this.touched.slice(0, -1);
      if (this.touched.length) this.ask();
      else this.reset();
    } else return false;
    this.changed();
    return true;
  }

  ask() {
    this.waiting = true;
    this.preview(this.touched);
  }

  /** The answer to a preview. @param {{touched: string[], board: string, beside: any[], next: Object<string, Next>}} answer */
  answer(answer) {
    if (answer.touched.join(" ") !== this.touched.join(" ")) return;
    this.shown = answer;
    this.waiting = false;
    const queued = this.queue.shift();
    this.changed();
    if (queued !== undefined && queued in this.lit) this.touch(queued);
    else this.queue = [];
  }
}

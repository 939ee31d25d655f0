// Lessons: a few positions in which the player makes the move that is asked for.

import { api } from "./api.js";
import { button, el, fill, toast } from "./dom.js";
import { keepFocus, noteFocus, shortcuts, walkTouches } from "./keys.js";
import { markdown } from "./rules.js";
import { Seats } from "./seats.js";
import { say } from "./speech.js";
import { Touching } from "./touching.js";

/** @param {HTMLElement} main @param {string} game @returns {Promise<() => void>} */
export async function lessonPage(main, game) {
  const model = { number: 0, of: 0, state: /** @type {any} */ (null), answer: /** @type {any} */ (null), text: "" };
  const board = el("daedalus-board", { board: true });
  const [words, said, top, common, bottom, buttons] = ["words", "verdict", "seats top", "common", "seats bottom", "acts"].map((name) => el("div", { class: name }));
  said.setAttribute("role", "status");
  const field = el("input", { "aria-label": "Type a move", placeholder: "Type a move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 200 });
  const typed = el("form", { class: "typed", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); if (field.value.trim()) give({ move: field.value.trim() }); field.value = ""; } }, field, el("button", { type: "submit" }, "Play"));
  const seats = new Seats(top, common, bottom, () => {});
  main.className = "table lesson";
  fill(main, el("div", { class: "board-area" }, board), el("aside", {}, words, said, top, common, typed, bottom, buttons));

  /** @param {any} body */
  async function give(body) {
    try {
      const answer = await api.answer(game, model.number, body);
      if (answer.preview) return touching.answer(answer.preview);
      Object.assign(model, { answer, state: answer.state });
      touching.start(answer.right ? {} : answer.state.next);
      say(answer.say);
      render();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
      touching.start(model.state.next);
      render();
    }
  }
  const touching = new Touching((touched) => give({ touched }), (move) => give({ move }), render);

  function render() {
    const { state, answer } = model;
    if (!state) return;
    const note = noteFocus(main);
    const shown = touching.shown ?? state;
    const shared = { lit: touching.lit, chosen: touching.touched, armed: touching.armed, seat: state.turn };
    board.show({ ...shared, svg: shown.board, label: `Board. ${state.summary ?? ""}` });
    seats.update(state, shown.beside, null, (part) => ({ ...shared, svg: part.svg, label: part.label || part.name }));
    fill(words, el("p", { class: "quiet-text" }, `Step ${model.number + 1} of ${model.of}: touch the board, or type the move`), markdown(model.text));
    said.className = `verdict ${answer ? (answer.right ? "right" : "wrong") : ""}`;
    fill(said, answer ? markdown(answer.say) : null);
    const done = answer?.right;
    typed.hidden = !!done;
    fill(buttons,
      button("Back", () => load(model.number - 1), { disabled: model.number === 0 }),
      button("Again", () => load(model.number)),
      done && (answer.last || model.number + 1 >= model.of)
        ? el("a", { class: "button primary", href: `/new/${game}` }, "Play now")
        : button(done ? "Next" : "Skip", () => load(model.number + 1), { class: done ? "primary" : "", disabled: model.number + 1 >= model.of }));
    keepFocus(main, note);
    if (done && !document.querySelector("dialog")) buttons.querySelector(".primary")?.focus();
  }
  /** @param {number} number */
  async function load(number) {
    const lesson = await api.lesson(game, number);
    Object.assign(model, { number, of: lesson.of, state: lesson.state, text: lesson.say, answer: null });
    document.title = `Learn ${lesson.state.title} · Daedalus`;
    touching.start(lesson.state.next);
    say(lesson.say);
    render();
  }
  main.addEventListener("board-touch", (/** @type {any} */ event) => touching.touch(event.detail.touch, event.detail.confirm));
  main.addEventListener("board-drag", (/** @type {any} */ event) => touching.drag(event.detail.from, event.detail.to));
  main.addEventListener("board-away", (/** @type {any} */ event) => touching.away(event.detail.touch));
  walkTouches(main, (touch) => touching.touch(touch), say);
  const end = shortcuts({ Escape: () => void touching.back() });
  await load(0);
  return end;
}

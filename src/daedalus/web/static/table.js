// A table: one state from the server, one render. Playing, looking on, stepping through, a finished game.

import { actions } from "./actions.js";
import { api } from "./api.js";
import { button, el, fill, toast } from "./dom.js";
import { keepFocus, noteFocus, shortcuts, walkTouches } from "./keys.js";
import { Moves } from "./moves.js";
import { rulesDialog } from "./rules.js";
import { Seats, thoughtText } from "./seats.js";
import { shareDialog } from "./share.js";
import { TableSocket } from "./socket.js";
import { play } from "./sound.js";
import { say, sayState, textBoard } from "./speech.js";
import { Touching } from "./touching.js";
import { chart } from "./values.js";

/** @param {HTMLElement} main @param {HTMLElement} here @param {string} id @param {(path: string) => void} go @returns {() => void} leaves the table */
export function tablePage(main, here, id, go) {
  /** All that the page knows. */
  const model = { state: /** @type {any} */ (null), connected: true, look: /** @type {any} */ (null), hint: /** @type {any} */ (null), advice: /** @type {any} */ (null), thought: /** @type {any} */ (null), compiling: "", text: false, flip: false, thinkingOfHint: false, turned: false, pending: /** @type {any} */ (null), fresh: true };
  const token = location.hash.slice(1) || null;
  /** @type {TableSocket|null} */ let socket = null;
  let left = false;

  // --- what is on the page ---
  const board = el("daedalus-board", { board: true });
  const notice = el("div", { class: "notice", role: "status", hidden: true });
  const cover = el("div", { class: "cover", hidden: true });
  const text = el("div", { class: "text-area", hidden: true });
  const bar = el("div", { class: "bar", hidden: true }, el("i"));
  const [top, common, bottom, outcome, moveBox, buttons] = ["seats top", "common", "seats bottom", "outcome", "moves", "acts"].map((name) => el("div", { class: name }));
  const field = el("input", { "aria-label": "Type a move", placeholder: "Type a move", list: "legal-moves", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 200 });
  const known = el("datalist", { id: "legal-moves" });
  const typed = el("form", { class: "typed", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); playTyped(); } }, field, known, el("button", { type: "submit" }, "Play"));
  main.className = "table";
  fill(main, el("div", { class: "board-area" }, board, text, cover), bar, el("aside", {}, top, common, outcome, moveBox, typed, bottom, buttons));
  const title = el("h1");
  const options = el("span", { class: "options" });
  fill(here, title, options, el("span", { class: "space" }), button("Rules", () => rulesDialog(model.state?.game ?? ""), { class: "quiet" }), button("Share", () => model.state && shareDialog(model.state), { class: "quiet" }));

  // --- what can be done ---
  /** @param {any} message */
  function send(message) {
    if (!socket?.send(message)) toast("Not connected just now; trying again.");
  }
  const touching = new Touching(
    (touched) => send({ type: "preview", ply: model.state.ply, touched }),
    playMove,
    render,
  );
  /** A move is sent until a state shows that it was taken: the connection may break before the answer comes. @param {string} move */
  function playMove(move) {
    model.pending = { type: "move", ply: model.state.ply, move };
    send(model.pending);
  }
  /** @param {any} state the newest */
  function settle(state) {
    if (model.pending && (state.ply !== model.pending.ply || state.outcome)) model.pending = null;
    if (model.pending && model.fresh) send(model.pending);
    model.fresh = false;
  }
  const seats = new Seats(top, common, bottom, (type) => send({ type }));
  /** @param {number} ply */
  function look(ply) {
    model.advice = null;
    if (ply === model.state.moves.length && !model.state.outcome) {
      model.look = null;
      render();
    } else {
      send({ type: "look", ply });
      if (model.state.outcome && ply < model.state.moves.length) send({ type: "advice", ply });
    }
  }
  const moves = new Moves(moveBox, look);
  moveBox.append(notice);
  function playTyped() {
    const move = field.value.trim();
    const exact = model.state.legal.find((/** @type {string} */ legal) => legal.toLowerCase() === move.toLowerCase());
    if (!move) return;
    if (!model.state.you.includes(model.state.turn)) return toast("It is not your turn.");
    playMove(exact ?? move);
    field.value = "";
  }
  const table = {
    model, send, go,
    flip: () => { model.flip = !model.flip; model.turned = true; send({ type: "flip", flip: model.flip }); },
    hint: () => { send({ type: model.thinkingOfHint ? "cancel" : "hint" }); model.thinkingOfHint = !model.thinkingOfHint; render(); },
    toggleText: () => { model.text = !model.text; render(); },
    typeMove: () => { main.classList.add("typing"); field.focus(); },
  };

  // --- one render ---
  function render() {
    const { state, look: seen } = model;
    if (!state) return;
    const note = noteFocus(main);
    const under = seen ? null : touching.shown;
    const shown = seen ?? under ?? state;
    const lit = seen ? {} : touching.lit;
    const common = { lit, chosen: seen ? [] : touching.touched, hint: seen ? [] : model.hint?.touches ?? [], armed: touching.armed, seat: state.turn };
    board.show({ ...common, svg: shown.board, label: `Board. ${state.summary ?? ""}`, still: model.turned });
    model.turned = false;
    seats.update(state, shown.beside, model.thought, (part) => ({ ...common, svg: part.svg, label: part.label || part.name }));
    moves.update(state.moves, seen ? seen.ply : state.moves.length, state.seats.length);
    title.textContent = state.title;
    options.textContent = state.options;
    const mine = state.you.includes(state.turn) && !state.outcome;
    document.title = `${mine ? "Your turn · " : ""}${state.title} · Daedalus`;
    typed.hidden = !state.you.length || !!state.outcome;
    if (known.dataset.ply !== String(state.ply) + mine) {
      fill(known, ...state.legal.slice(0, 400).map((/** @type {string} */ move) => el("option", { value: move })));
      known.dataset.ply = String(state.ply) + mine;
    }
    text.hidden = !model.text;
    if (model.text) fill(text, textBoard(shown.text_board ?? state.text_board, shown.spoken ?? state.spoken));
    main.classList.toggle("looking", !!seen);
    renderCover(mine);
    renderNotice();
    renderBar();
    renderOutcome();
    actions(buttons, table);
    keepFocus(main, note);
  }
  /** Two people at one screen, hidden cards: who moves asks to see them. @param {boolean} mine */
  function renderCover(mine) {
    const { state } = model;
    const wanted = mine && state.you.length > 1 && !Object.keys(state.next).length;
    if (wanted && cover.hidden) {
      const name = state.seats[state.turn].name;
      fill(cover, el("h2", {}, `${name}, it is your turn`), el("p", {}, "Only you should look at the screen now."), button("Show my cards", () => send({ type: "reveal" }), { class: "primary" }));
    }
    cover.hidden = !wanted;
  }
  function renderNotice() {
    const { state, look: seen } = model;
    const parts = [];
    if (!model.connected) parts.push(el("span", {}, "Connection lost. Trying again …"), button("Now", () => socket?.now(), { class: "small" }));
    else if (model.compiling) parts.push(el("span", {}, `Getting ready: ${model.compiling}. The first time takes a little while.`));
    else if (seen && !state.outcome) parts.push(el("span", {}, `You look at move ${seen.ply} of ${state.moves.length}.`), button("Back to the game", () => look(state.moves.length), { class: "small" }));
    else if (state.offer !== null && state.offer !== undefined && !state.outcome) {
      if (state.you.includes(state.offer)) parts.push(el("span", {}, "You offer a draw."));
      else if (state.you.length) parts.push(el("span", {}, `${state.seats[state.offer].name} offers a draw.`), button("Accept", () => send({ type: "draw", accept: true }), { class: "small" }), button("Decline", () => send({ type: "draw", accept: false }), { class: "small" }));
    } else if (touching.armed) parts.push(el("span", {}, "Tap again to play it."));
    else if (model.hint) parts.push(el("span", {}, `Hint: ${model.hint.move}. ${model.hint.spoken ?? ""}`));
    else if (model.thinkingOfHint) parts.push(el("span", {}, "Looking for a good move …"));
    else if (touching.touched.length) parts.push(el("span", {}, "Go on, or take it back."), button("Take back", () => touching.back(), { class: "small" }));
    const key = parts.map((part) => part.textContent).join("|");
    notice.hidden = !parts.length;
    if (notice.dataset.key !== key) fill(notice, ...parts);
    notice.dataset.key = key;
  }
  function renderBar() {
    const { state, thought, look: seen, advice } = model;
    const stored = state.values?.[seen ? seen.ply : state.moves.length];
    const value = advice?.value ?? (typeof stored === "number" ? stored : thought?.value);
    if (typeof value !== "number" && state.turn !== null && !state.outcome) return; // keeps what it last said
    bar.hidden = typeof value !== "number";
    bar.firstChild.style.height = `${(value + 1) * 50}%`;
    bar.classList.toggle("flipped", state.flip);
    bar.title = `${state.seats[0].name}: ${Math.round((value + 1) * 50)} of 100`;
  }
  function renderOutcome() {
    const { state, look: seen, advice } = model;
    const key = JSON.stringify([state.outcome, seen?.ply, advice, state.values]);
    if (outcome.dataset.key === key) return;
    outcome.dataset.key = key;
    if (!state.outcome) return fill(outcome);
    const at = seen ? seen.ply : state.moves.length;
    const some = state.values?.some((/** @type {any} */ value) => typeof value === "number");
    fill(outcome,
      el("h2", {}, state.outcome.sentence), state.outcome.reason && !state.outcome.sentence.includes(state.outcome.reason) ? el("p", {}, state.outcome.reason) : null,
      some ? chart(state.values, at, state.seats[0].name, look) : null,
      el("p", { class: "advice" }, advice ? `After move ${advice.ply} the agent would play ${advice.line?.length ? thoughtText(advice) : advice.move}.` : seen && seen.ply < state.moves.length ? "Asking an agent what it would play here …" : "Step through the moves to see what an agent would have played."));
  }

  // --- what is heard ---
  /** @param {any} message */
  function heard(message) {
    const before = model.state;
    if (message.type === "state") {
      model.state = message;
      settle(message);
      model.compiling = "";
      if (message.thinking === null || before?.ply !== message.ply) model.thought = null;
      const same = before && before.ply === message.ply && before.board === message.board && JSON.stringify(before.next) === JSON.stringify(message.next);
      if (!same || (touching.waiting && !touching.touched.length)) touching.start(message.next);
      if (before?.ply !== message.ply) { model.hint = null; model.thinkingOfHint = false; }
      if (message.outcome && !before?.outcome) { model.look = null; main.classList.remove("typing"); }
      if (!message.outcome && before?.outcome) model.look = null;
      if (model.look && model.look.ply > message.moves.length) model.look = null;
      if (!before || before.ply !== message.ply || !!before.outcome !== !!message.outcome) {
        sayState(message);
        if (before) play(message.outcome ? "end" : message.you.includes(message.turn) ? "turn" : "move");
      }
    } else if (message.type === "preview") return touching.answer(message);
    else if (message.type === "look") { model.look = message.ply === model.state?.moves.length ? null : message; say(message.spoken); }
    else if (message.type === "hint") { model.hint = message; model.thinkingOfHint = false; say(`Hint: ${message.spoken || message.move}`); }
    else if (message.type === "advice") model.advice = message;
    else if (message.type === "thought") model.thought = message;
    else if (message.type === "compiling") model.compiling = message.what;
    else if (message.type === "rematch") return go(`/table/${message.table}${message.token ? `#${message.token}` : ""}`);
    else if (message.type === "refused") {
      toast(message.reason);
      if (message.to === "move") model.pending = null;
      if (message.to === "hint") model.thinkingOfHint = false;
      if ((message.to === "move" || message.to === "preview") && model.state) touching.start(model.state.next);
    }
    render();
  }

  main.addEventListener("board-touch", (/** @type {any} */ event) => touching.touch(event.detail.touch, event.detail.confirm));
  main.addEventListener("board-drag", (/** @type {any} */ event) => touching.drag(event.detail.from, event.detail.to));
  main.addEventListener("board-away", (/** @type {any} */ event) => (model.look && !model.state.outcome ? look(model.state.moves.length) : touching.away(event.detail.touch)));
  walkTouches(main, (touch) => touching.touch(touch), say);
  const step = (/** @type {number} */ by) => () => moves.go(moves.at + by);
  const endKeys = shortcuts({ Escape: () => void (touching.back() || (model.look && look(model.state.moves.length))), PageUp: step(-1), PageDown: step(1), ArrowLeft: step(-1), ArrowRight: step(1), Home: () => moves.go(0), End: () => moves.go(moves.plies), h: () => model.state?.actions.hint && table.hint(), u: () => model.state?.actions.undo && send({ type: "undo" }), r: () => model.state?.actions.redo && send({ type: "redo" }), f: table.flip, m: table.typeMove, t: table.toggleText });
  const ticking = window.setInterval(() => seats.tick(), 100);

  /** Sits down with the link's token, then listens. */
  async function start() {
    try {
      await api.table(id);
      if (token) await api.claim(id, token).catch((error) => toast(error.message));
    } catch (error) {
      if (!(/** @type {any} */ (error).unreachable)) return fill(main, el("div", { class: "plain" }, el("h1", {}, "This table cannot be opened"), el("p", {}, /** @type {Error} */ (error).message), el("a", { class: "button", href: "/" }, "To the games")));
    }
    if (left) return;
    socket = new TableSocket(id, () => ({ type: "hello", token, flip: model.flip }), heard, (connected) => {
      model.connected = connected;
      model.fresh ||= connected;
      if (connected && model.state) touching.start(model.state.next);
      render();
    });
  }
  start();
  return () => { left = true; socket?.close(); endKeys(); clearInterval(ticking); };
}

// The set-up panel: options, who sits where, a clock. Remembers what was chosen last.

import { api } from "./api.js";
import { button, el } from "./dom.js";
import { picture } from "./svg.js";
import { remember, remembered, rememberLinks } from "./settings.js";

const CLOCKS = [["", "No clock"], ["1+0", "1 minute"], ["3+2", "3 minutes + 2 seconds a move"], ["5+3", "5 minutes + 3 seconds a move"], ["10+5", "10 minutes + 5 seconds a move"], ["30+20", "30 minutes + 20 seconds a move"]];

/** @typedef {{options: Object<string, string>, seats: {who: string, spec: string}[], clock: string|null}} Setup */

/** The last choice for a game, or you in the first seat against novices. @param {any} game @returns {Setup} */
export function lastSetup(game) {
  const plain = { options: {}, seats: game.seats.map((/** @type {string} */ _, /** @type {number} */ seat) => (seat === 0 ? { who: "you", spec: "" } : { who: "agent", spec: game.default_level ?? "novice" })), clock: null };
  return remembered(`setup:${game.id}`, plain);
}

/** What "Play" on the home page means: the last choice if it needs nobody else, else the plain one. @param {any} game */
export function quickSetup(game) {
  const last = lastSetup(game);
  return last.seats.some(({ who }) => who === "you") && last.seats.every(({ who }) => who !== "friend") ? last : lastSetup({ ...game, id: "" });
}

/** Makes the table. @param {string} game @param {Setup} setup @returns {Promise<string>} its address */
export async function createTable(game, setup) {
  const agents = setup.seats.every(({ who }) => who === "agent");
  const made = await api.create({ game, ...setup, pace: agents ? 1 : null });
  rememberLinks(made.table, made.seats);
  return `/table/${made.table}`;
}

const yesOrNo = (/** @type {string} */ text) => (/^(true|yes|on|1)$/i.test(text) ? "yes" : "no");

/** One option as a labelled field. @param {any} option @param {string} value @param {() => void} changed */
function field(option, value, changed) {
  const id = `option-${option.name}`;
  const shared = { id, name: option.name, "aria-describedby": `${id}-help`, onchange: changed };
  let input;
  if (option.type === "switch") input = el("select", shared, el("option", { value: "yes" }, "yes"), el("option", { value: "no" }, "no"));
  else if (option.type === "choice") input = el("select", shared, ...option.choices.map((/** @type {string} */ choice) => el("option", { value: choice }, choice)));
  else if (option.type === "text") input = el("input", shared);
  else input = el("input", { ...shared, type: "number", min: option.low, max: option.high, step: option.type === "whole" ? 1 : "any", inputmode: "decimal" });
  input.value = option.type === "switch" ? yesOrNo(value) : value;
  return el("div", { class: "field" }, el("label", { for: id }, option.name.replaceAll("_", " ")), input, el("small", { id: `${id}-help` }, option.help));
}

/** Who sits in a seat. @param {string} name @param {number} number @param {any} chosen @param {any[]} levels @param {() => void} changed */
function seatField(name, number, chosen, levels, changed) {
  const who = el("select", { id: `seat-${number}`, onchange: () => { show(); changed(); } },
    el("option", { value: "you" }, "you"), el("option", { value: "friend" }, "a friend, by link"),
    ...levels.map((level) => el("option", { value: `agent:${level.name}` }, `${level.name}: ${level.meaning}`)),
    el("option", { value: "own" }, "an agent of your own …"));
  const spec = el("input", { "aria-label": `Agent of ${name}`, placeholder: "for example mcts:seconds=2", list: "agents", onchange: changed });
  const known = levels.some((level) => level.name === chosen.spec);
  who.value = chosen.who !== "agent" ? chosen.who : known ? `agent:${chosen.spec}` : "own";
  if (chosen.who === "agent" && !known) spec.value = chosen.spec;
  const show = () => { spec.hidden = who.value !== "own"; };
  show();
  const node = el("div", { class: "field" }, el("label", { for: `seat-${number}` }, name), who, spec);
  const value = () => (who.value === "own" ? { who: "agent", spec: spec.value.trim() } : who.value.startsWith("agent:") ? { who: "agent", spec: who.value.slice(6) } : { who: who.value, spec: "" });
  return { node, value };
}

/** @param {HTMLElement} main @param {string} id @param {(path: string) => void} go */
export async function setupPage(main, id, go) {
  const game = await api.game(id);
  document.title = `${game.title} · Daedalus`;
  const last = lastSetup(game);
  const chosen = () => Object.fromEntries(game.options.map((/** @type {any} */ option) => [option.name, options.querySelector(`[name="${option.name}"]`).value]).filter(([name, value]) => value !== standard[name]));
  const standard = Object.fromEntries(game.options.map((/** @type {any} */ option) => [option.name, option.type === "switch" ? yesOrNo(option.default) : option.default]));
  const error = el("p", { class: "error", role: "alert", hidden: true });
  const image = el("div", { class: "picture", "aria-hidden": "true" }, picture(game.board));
  const options = el("div", { class: "fields" }, ...game.options.map((/** @type {any} */ option) => field(option, last.options[option.name] ?? standard[option.name], check)));
  const places = el("div", { class: "fields" });
  /** @type {ReturnType<typeof seatField>[]} */ let seats = [];
  const clock = el("select", { id: "clock" }, ...CLOCKS.map(([value, label]) => el("option", { value }, label)));
  clock.value = last.clock ?? "";

  /** @param {string[]} names @param {any[]} levels @param {any[]} who */
  function seat(names, levels, who) {
    seats = names.map((name, number) => seatField(name, number, who[number] ?? { who: "agent", spec: game.default_level ?? "novice" }, levels, () => {}));
    places.replaceChildren(...seats.map(({ node }) => node));
  }
  /** Asks the server what the options mean. */
  async function check() {
    try {
      const meaning = await api.setup(id, chosen());
      error.hidden = true;
      image.replaceChildren(picture(meaning.board));
      if (meaning.seats.length !== seats.length) seat(meaning.seats, meaning.levels, seats.map(({ value }) => value()));
    } catch (problem) {
      error.textContent = /** @type {Error} */ (problem).message;
      error.hidden = false;
    }
  }
  const start = button("Start", async () => {
    const setup = { options: chosen(), seats: seats.map(({ value }) => value()), clock: clock.value || null };
    start.disabled = true;
    try {
      const path = await createTable(id, setup);
      remember(`setup:${id}`, setup);
      go(path);
    } catch (problem) {
      error.textContent = /** @type {Error} */ (problem).message;
      error.hidden = false;
      start.disabled = false;
    }
  }, { class: "primary" });

  seat(game.seats, game.levels, last.seats);
  if (Object.keys(last.options).length) check();
  main.classList.add("setup");
  main.replaceChildren(
    el("div", { class: "sheet" },
      el("h1", {}, game.title), el("p", { class: "lead" }, game.sentence),
      el("h2", {}, "Who plays"), places,
      el("div", { class: "fields" }, el("div", { class: "field" }, el("label", { for: "clock" }, "Clock"), clock)),
      game.options.length ? el("details", { open: Object.keys(last.options).length > 0 || game.options.length < 5 }, el("summary", {}, "Options of the game"), options) : null,
      el("datalist", { id: "agents" }, ...game.agents.map((/** @type {any} */ agent) => el("option", { value: agent.name }, agent.meaning))),
      error,
      el("div", { class: "row" }, start, el("a", { class: "button", href: `/rules/${id}` }, "Rules"), game.lessons ? el("a", { class: "button", href: `/learn/${id}` }, "Learn") : null)),
    image,
  );
}

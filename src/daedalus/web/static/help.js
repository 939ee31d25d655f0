// How everything works, in one page.

import { api } from "./api.js";
import { el } from "./dom.js";
import { markdown } from "./rules.js";

/** @param {HTMLElement} main */
export async function helpPage(main) {
  const [text, games, { version }] = await Promise.all([api.help(), api.games(), api.version()]);
  document.title = "Help · Daedalus";
  main.classList.add("reading");
  main.replaceChildren(
    el("h1", {}, "How everything works"),
    el("p", { class: "lead" }, `Daedalus ${version}: games whose paths are built, blocked and moved while you play.`),
    el("p", {}, "Rules, notation and agents of a game: ", ...games.flatMap((/** @type {any} */ game, /** @type {number} */ number) => [number ? ", " : "", el("a", { href: `/rules/${game.id}` }, game.title)]), "."),
    markdown(text),
  );
}

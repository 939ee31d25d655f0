// Home: the games as cards, and your own running and finished games.

import { api } from "./api.js";
import { button, el, toast } from "./dom.js";
import { demo } from "./demo.js";
import { createTable, quickSetup } from "./setup.js";

/** @param {any} game @param {(path: string) => void} go */
function card(game, go) {
  const image = demo(game);
  const play = button("Play", async () => {
    play.disabled = true;
    try {
      go(await createTable(game.id, quickSetup(game)));
    } catch (error) {
      play.disabled = false;
      toast(/** @type {Error} */ (error).message);
    }
  }, { class: "primary", "aria-label": `Play ${game.title}` });
  return el("article", { class: "card", data: { game: game.id } },
    image,
    el("div", { class: "words" },
      el("h2", {}, game.title),
      el("p", {}, game.sentence),
      el("div", { class: "row" }, play,
        el("a", { class: "button", href: `/new/${game.id}`, "aria-label": `Set up ${game.title}` }, "Set up"),
        game.lessons ? el("a", { class: "button quiet", href: `/learn/${game.id}`, "aria-label": `Learn ${game.title}` }, "Learn") : null,
        el("a", { class: "button quiet", href: `/rules/${game.id}`, "aria-label": `Rules of ${game.title}` }, "Rules"))));
}

/** @param {any} table */
function row(table) {
  const others = table.seats.filter((/** @type {any} */ _, /** @type {number} */ seat) => !table.you.includes(seat)).map((/** @type {any} */ seat) => (seat.who === "agent" ? seat.label || seat.name : "a friend")).join(" and ");
  const turn = table.outcome ? table.outcome.sentence : table.you.includes(table.turn) ? "your turn" : `${table.seats[table.turn]?.name ?? "nobody"} to move`;
  return el("li", {}, el("b", {}, table.title),
    el("span", {}, `${others && table.you.length ? `with ${others}, ` : ""}${table.ply} ${table.ply === 1 ? "move" : "moves"}, ${turn}`),
    el("a", { class: "button", href: `/table/${table.table}`, "aria-label": `${table.outcome ? "Look at" : "Go on with"} ${table.title}` }, table.outcome ? "Look" : "Go on"));
}

/** @param {HTMLElement} main @param {(path: string) => void} go */
export async function homePage(main, go) {
  document.title = "Daedalus";
  const [games, tables] = await Promise.all([api.games(), api.tables().catch(() => [])]);
  const lists = [["Your running games", tables.filter((/** @type {any} */ table) => !table.outcome)], ["Your finished games", tables.filter((/** @type {any} */ table) => table.outcome).slice(0, 12)]];
  main.classList.add("home");
  main.replaceChildren(
    el("h1", {}, "What shall we play?"),
    el("p", { class: "lead" }, "Games whose paths are built, blocked and moved while you play. New here? “Learn” takes two minutes. ", el("a", { href: "/help" }, "How everything works")),
    el("div", { class: "cards" }, ...games.map((/** @type {any} */ game) => card(game, go))),
    ...lists.filter(([, list]) => list.length).map(([title, list]) => el("section", { class: "games" }, el("h2", {}, title), el("ul", {}, ...list.map(row)))),
  );
}

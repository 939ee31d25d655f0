// A small Markdown reader (headings, lists, tables, code, emphasis, links), and the page of a game's rules.

import { api } from "./api.js";
import { dialog, el } from "./dom.js";

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|_([^_\s][^_]*)_(?!\w)|!?\[([^\]]*)\]\(([^)\s]*)\)/;

/** @param {string} text @returns {(Node|string)[]} */
function inline(text) {
  const found = INLINE.exec(text);
  if (!found) return [text];
  const [whole, code, strong, emphasis, other, label, address] = found;
  let node;
  if (code !== undefined) node = el("code", {}, code);
  else if (strong !== undefined) node = el("strong", {}, ...inline(strong));
  else if (emphasis !== undefined || other !== undefined) node = el("em", {}, ...inline(emphasis ?? other));
  else if (/^https?:\/\//.test(address) && !whole.startsWith("!")) node = el("a", { href: address, rel: "noreferrer", target: "_blank" }, label);
  else node = el("span", {}, label);
  return [text.slice(0, found.index), node, ...inline(text.slice(found.index + whole.length))];
}

const cells = (/** @type {string} */ line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

/** @param {string[][]} rows the first of each is a name @param {string[]} heads */
function table(rows, heads) {
  const line = (/** @type {string[]} */ [name, ...rest]) => el("tr", {}, el("td", {}, el("code", {}, name)), ...rest.map((text) => el("td", {}, text)));
  return el("div", { class: "prose" }, el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": heads[0] + "s" }, el("table", { class: "names" }, el("tr", {}, ...heads.map((head) => el("th", {}, head))), ...rows.map(line))));
}

/** Markdown as elements; nothing in it is ever taken as markup of the page. @param {string} text @returns {HTMLElement} */
export function markdown(text) {
  const page = el("div", { class: "prose" });
  const lines = text.replaceAll("\r", "").split("\n");
  let at = 0;
  const take = (/** @type {(line: string) => boolean} */ wanted) => {
    const start = at;
    while (at < lines.length && wanted(lines[at])) at += 1;
    return lines.slice(start, at);
  };
  while (at < lines.length) {
    const line = lines[at];
    const heading = /^(#{1,6})\s+(.*)/.exec(line);
    if (!line.trim()) at += 1;
    else if (line.startsWith("```")) {
      at += 1;
      page.append(el("pre", { tabindex: 0 }, take((each) => !each.startsWith("```")).join("\n")));
      at += 1;
    } else if (heading) {
      page.append(el(`h${Math.min(heading[1].length + 1, 4)}`, {}, ...inline(heading[2])));
      at += 1;
    } else if (line.trim().startsWith("|")) {
      const rows = take((each) => each.trim().startsWith("|")).filter((each) => !/^[\s|:-]+$/.test(each)).map(cells);
      const row = (/** @type {string[]} */ texts, /** @type {string} */ tag) => el("tr", {}, ...texts.map((cell) => el(tag, {}, ...inline(cell))));
      page.append(el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Table" }, el("table", {}, row(rows[0] ?? [], "th"), ...rows.slice(1).map((each) => row(each, "td")))));
    } else if (/^\s*([-*+]|\d+[.)])\s/.test(line)) {
      const ordered = /^\s*\d/.test(line);
      const items = [];
      for (const each of take((next) => /^\s*([-*+]|\d+[.)])\s/.test(next) || /^\s+\S/.test(next))) {
        const item = /^\s*(?:[-*+]|\d+[.)])\s+(.*)/.exec(each);
        if (item) items.push(item[1]);
        else items[items.length - 1] += ` ${each.trim()}`;
      }
      page.append(el(ordered ? "ol" : "ul", {}, ...items.map((item) => el("li", {}, ...inline(item)))));
    } else {
      const paragraph = take((each) => each.trim() !== "" && !/^(#{1,6}\s|```|\s*\||\s*([-*+]|\d+[.)])\s)/.test(each));
      page.append(el("p", {}, ...inline(paragraph.join(" "))));
      if (!paragraph.length) at += 1;
    }
  }
  return page;
}

/** Rules while playing. @param {string} game */
export async function rulesDialog(game) {
  const about = await api.game(game);
  dialog(`Rules of ${about.title}`, markdown(about.rules), about.notation ? markdown(`## How moves are written\n\n${about.notation}`) : null);
}

/** The page of rules. @param {HTMLElement} main @param {string} game */
export async function rulesPage(main, game) {
  const about = await api.game(game);
  document.title = `Rules of ${about.title} · Daedalus`;
  main.classList.add("reading");
  main.replaceChildren(
    el("h1", {}, about.title),
    el("p", { class: "lead" }, about.sentence),
    el("div", { class: "row" }, el("a", { class: "button primary", href: `/new/${game}` }, "Play"), about.lessons ? el("a", { class: "button", href: `/learn/${game}` }, "Learn") : null),
    markdown(about.rules),
    ...(about.notation ? [el("h2", {}, "How moves are written"), markdown(about.notation)] : []),
    ...(about.options.length ? [el("h2", {}, "Options"), table(about.options.map((/** @type {any} */ option) => [option.name, option.help, option.default ?? ""]), ["Option", "What it means", "Default"])] : []),
    el("h2", {}, "Agents"), el("p", {}, "Who can be asked to play, beside the levels: ", el("code", {}, "name:option=value"), "."),
    table(about.agents.map((/** @type {any} */ agent) => [agent.name, agent.meaning]), ["Agent", "How it plays"]),
  );
}

// What this browser remembers: theme, sound, last set-up of each game, links of tables made here.

const KEY = "daedalus";

/** @returns {any} */
function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {string} name @param {any} [otherwise] */
export const remembered = (name, otherwise = null) => all()[name] ?? otherwise;

/** @param {string} name @param {any} value */
export function remember(name, value) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [name]: value }));
  } catch {
    // a browser that keeps nothing still plays
  }
}

/** The links of the last hundred tables made here. @param {string} table @param {any[]} seats */
export function rememberLinks(table, seats) {
  const links = Object.entries(remembered("links", {})).slice(-99);
  remember("links", Object.fromEntries([...links, [table, seats]]));
}

const THEMES = ["auto", "light", "dark"];

/** The theme as the page wears it. */
export function wear() {
  const theme = remembered("theme", "auto");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  return theme;
}

/** The next theme of the three. */
export function changeTheme() {
  remember("theme", THEMES[(THEMES.indexOf(remembered("theme", "auto")) + 1) % THEMES.length]);
  return wear();
}

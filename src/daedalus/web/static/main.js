// The router: which page an address means.

import "./board.js";
import { button, el } from "./dom.js";
import { helpPage } from "./help.js";
import { homePage } from "./home.js";
import { lessonPage } from "./lesson.js";
import { rulesPage } from "./rules.js";
import { setupPage } from "./setup.js";
import { changeTheme, wear } from "./settings.js";
import { soundOn, toggleSound } from "./sound.js";
import { tablePage } from "./table.js";

const app = /** @type {HTMLElement} */ (document.getElementById("app"));
/** @type {(() => void)|null} */ let leave = null;

/** @param {string} path */
export function go(path) {
  history.pushState(null, "", path);
  show();
}

/** The line at the top, the same on all pages; a page puts its own things into `.here`. */
function header() {
  const theme = button(`Theme: ${wear()}`, () => { theme.textContent = `Theme: ${changeTheme()}`; }, { class: "quiet theme" });
  const words = () => `Sound ${soundOn() ? "on" : "off"}`;
  const sound = button(words(), () => {
    toggleSound();
    sound.textContent = words();
    sound.setAttribute("aria-pressed", String(soundOn()));
  }, { class: "quiet sound", "aria-pressed": String(soundOn()) });
  return el("header", {}, el("a", { class: "brand", href: "/" }, "Daedalus"), el("div", { class: "here" }), el("a", { class: "button quiet help", href: "/help" }, "Help"), sound, theme);
}

async function show() {
  leave?.();
  leave = null;
  document.querySelectorAll("dialog").forEach((box) => box.remove());
  const [, page = "", id = ""] = location.pathname.split("/").map(decodeURIComponent);
  const main = el("main", { "aria-busy": "true" }, el("p", { class: "quiet-text" }, "One moment …"));
  const top = header();
  app.className = page === "table" || page === "learn" ? "still" : "";
  app.replaceChildren(top, main);
  try {
    if (page === "table") leave = tablePage(main, top.querySelector(".here"), id, go);
    else if (page === "new") await setupPage(main, id, go);
    else if (page === "learn") leave = await lessonPage(main, id);
    else if (page === "rules") await rulesPage(main, id);
    else if (page === "help") await helpPage(main);
    else if (page === "") await homePage(main, go);
    else throw new Error("There is no such page.");
  } catch (error) {
    main.replaceChildren(el("h1", {}, "That did not work"), el("p", {}, /** @type {Error} */ (error).message), el("a", { class: "button", href: "/" }, "To the games"));
  }
  main.removeAttribute("aria-busy");
}

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a[href^='/']");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href") ?? "/");
  window.scrollTo(0, 0);
});
window.addEventListener("popstate", show);
wear();
show();

// Links, the record, the position as text.

import { api } from "./api.js";
import { button, copy, dialog, el, toast } from "./dom.js";
import { remembered } from "./settings.js";

const LOOPBACK = /^(localhost|127\.|\[?::1)/;

/** @param {string} label @param {string} link */
function link(label, link) {
  return el("div", { class: "field" }, el("label", {}, label, el("input", { readonly: true, value: link, onfocus: (/** @type {any} */ event) => event.target.select() })), button("Copy", () => copy(link, "The link is copied.")));
}

/** @param {any} state */
export function shareDialog(state) {
  const made = remembered("links", {})[state.table] ?? [];
  const address = `${location.origin}/table/${state.table}`;
  const own = made.filter((/** @type {any} */ seat) => seat.token && seat.who === "you");
  dialog("Share this game",
    ...made.filter((/** @type {any} */ seat) => seat.token && seat.who === "friend").map((/** @type {any} */ seat) => link(`For your friend, to play ${state.seats[seat.seat].name}`, `${address}#${seat.token}`)),
    link("For everybody who wants to look on", address),
    ...own.map((/** @type {any} */ seat) => link(`For yourself on another device, ${state.seats[seat.seat].name}`, `${address}#${seat.token}`)),
    el("p", { class: "quiet-text" }, "Who opens a player's link first sits down there."),
    LOOPBACK.test(location.hostname) ? el("p", { class: "quiet-text" }, "These links work on this machine only. For other devices, start ", el("code", {}, "daedalus web --host 0.0.0.0"), " and open this page by the machine's own address.") : null);
}

/** @param {any} state */
export async function saveRecord(state) {
  try {
    const text = await api.record(state.table);
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const anchor = el("a", { href: address, download: `${state.game}-${state.table.slice(0, 6)}.txt` });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
  }
}

/** @param {string} text the position as one line */
export const copyPosition = (text) => copy(text, "The position is copied.");

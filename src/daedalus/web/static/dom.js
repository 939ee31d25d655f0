// Elements in one line: el("a", {href: "/"}, "Home"). Texts are always text, never markup.

/**
 * @param {string} tag
 * @param {Object<string, any>} [attributes] `on...` are listeners, `data` goes to dataset, the rest are attributes (false and null: left out)
 * @param {...(Node|string|number|null|undefined|false)} children
 * @returns {any}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(node.dataset, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => (child instanceof Node ? child : String(child))));
  return node;
}

/** Replaces what is inside a node. @param {Element} node @param {...any} children */
export function fill(node, ...children) {
  node.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false));
}

/** A button. @param {string} label @param {(event: Event) => void} action @param {Object<string, any>} [more] */
export const button = (label, action, more = {}) => el("button", { type: "button", onclick: action, ...more }, label);

/**
 * A dialog with a title and a way out; gone when it is closed.
 * @param {string} title @param {...any} children @returns {HTMLDialogElement}
 */
export function dialog(title, ...children) {
  const box = el("dialog", { "aria-label": title });
  const close = () => box.close();
  box.append(el("div", { class: "dialog-head" }, el("h2", {}, title), button("Close", close, { class: "quiet" })), ...children.filter(Boolean));
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && close());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Asks yes or no. @param {string} question @param {string} yes @returns {Promise<boolean>} */
export function ask(question, yes) {
  return new Promise((answer) => {
    let said = false;
    const box = dialog(question, el("div", { class: "row" }, button(yes, () => { said = true; box.close(); }, { class: "primary" }), button("No, go back", () => box.close())));
    box.addEventListener("close", () => answer(said));
  });
}

let hiding = 0;
/** A short notice that goes away by itself. @param {string} text */
export function toast(text) {
  const box = /** @type {HTMLElement} */ (document.getElementById("toast"));
  box.textContent = text;
  box.hidden = false;
  clearTimeout(hiding);
  hiding = window.setTimeout(() => { box.hidden = true; }, 6000);
}

/** To the clipboard, or shown to be copied by hand. @param {string} text @param {string} done */
export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    dialog("Copy this", el("textarea", { readonly: true, rows: 6, "aria-label": "Text to copy" }, text));
  }
}

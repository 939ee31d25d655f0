// The keyboard: arrows walk the touches by where they are, Enter chooses, Escape takes back.

const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** @param {Element} node */
function middle(node) {
  const box = (node.querySelector("[pointer-events=all]") ?? node).getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

/** The touches that can be walked to. @param {Element} area @param {boolean} every unlit ones too @returns {any[]} */
const reachable = (area, every) => [...area.querySelectorAll(every ? "[data-touch]" : "[data-touch].lit")];

/**
 * The next touch in a direction: near, and rather ahead than aside.
 * @param {Element} area @param {Element} from @param {number[]} way @param {boolean} every
 */
function ahead(area, from, [wayX, wayY], every) {
  const [x, y] = middle(from);
  let [best, found] = [Infinity, null];
  for (const node of reachable(area, every)) {
    const [nodeX, nodeY] = middle(node);
    const along = (nodeX - x) * wayX + (nodeY - y) * wayY;
    const aside = Math.abs((nodeX - x) * wayY) + Math.abs((nodeY - y) * wayX);
    if (node === from || along < 2) continue;
    const cost = along + 2.5 * aside;
    if (cost < best) [best, found] = [cost, node];
  }
  return found;
}

/** A touch gets the focus, and is the one that Tab finds. @param {Element} area @param {any} node */
function focus(area, node) {
  for (const other of area.querySelectorAll("[data-touch][tabindex='0']")) other.setAttribute("tabindex", "-1");
  node.setAttribute("tabindex", "0");
  node.focus({ preventScroll: true });
}

/**
 * Arrow keys and Enter on touches. @param {HTMLElement} area @param {(touch: string) => void} chosen
 * @param {(name: string) => void} read an unlit touch was walked to
 */
export function walkTouches(area, chosen, read) {
  area.addEventListener("keydown", (event) => {
    const node = /** @type {Element} */ (event.target).closest("[data-touch], daedalus-board");
    if (!node || event.ctrlKey || event.altKey || event.metaKey) return;
    const way = WAYS[/** @type {keyof typeof WAYS} */ (event.key)];
    if (way) {
      event.preventDefault();
      event.stopPropagation();
      const every = event.shiftKey || !reachable(area, false).length;
      const next = node.matches("[data-touch]") ? ahead(area, node, way, every) : reachable(area, every)[0];
      if (next) focus(area, next);
      if (next && !next.classList.contains("lit")) read(next.getAttribute("aria-label") ?? "");
    } else if ((event.key === "Enter" || event.key === " ") && node.classList.contains("lit")) {
      event.preventDefault();
      chosen(node.getAttribute("data-touch") ?? "");
    }
  });
}

/** Where the focus is among the touches, to be kept over a new picture. @param {Element} area */
export function noteFocus(area) {
  const active = document.activeElement;
  if (!active || !area.contains(active)) return null;
  const node = active.closest("[data-touch]");
  if (node) return { touch: node.getAttribute("data-touch"), at: middle(node) };
  return active.matches("daedalus-board") ? { touch: null, at: middle(active) } : null;
}

/** After a new picture: Tab finds one touch, and the focus goes back to where it was, or near. @param {Element} area @param {any} note */
export function keepFocus(area, note) {
  const nodes = reachable(area, false);
  const board = /** @type {HTMLElement} */ (area.querySelector("daedalus-board[board]"));
  board.tabIndex = nodes.length ? -1 : 0;
  const near = (/** @type {Element} */ node) => Math.hypot(middle(node)[0] - note.at[0], middle(node)[1] - note.at[1]);
  if (!note) return nodes[0]?.setAttribute("tabindex", "0");
  if (document.activeElement !== document.body && document.activeElement?.closest("[data-touch], daedalus-board") === null) return;
  const same = nodes.find((node) => node.getAttribute("data-touch") === note.touch);
  const best = same ?? nodes.sort((a, b) => near(a) - near(b))[0];
  if (best) focus(area, best);
  else board.focus({ preventScroll: true });
}

/** Keys that work anywhere on a table, unless something is being typed. @param {Object<string, () => void>} actions @returns {() => void} ends it */
export function shortcuts(actions) {
  const listen = (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select, textarea, dialog")) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}

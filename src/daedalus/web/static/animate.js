// Animation: compare where each piece was and is, and let it travel there. Quick, interruptible, none if less motion is wanted.

const LENGTH = 220;
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {Map<string, string>} Places transform of each piece, as CSS */

/** "translate(3 4) rotate(90)" as CSS. @param {string} attribute @returns {string} */
export function asCss(attribute) {
  return attribute.replace(/translate\(\s*([-\d.]+)[\s,]+([-\d.]+)\s*\)/, "translate($1px, $2px)").replace(/rotate\(\s*([-\d.]+)\s*\)/, "rotate($1deg)");
}

/** Where the pieces of a picture are now, in the middle of a journey too. @param {SVGSVGElement|null} svg @returns {Places} */
export function places(svg) {
  const found = new Map();
  for (const piece of svg ? svg.querySelectorAll("[data-piece]") : []) {
    const moving = piece.getAnimations?.().length;
    found.set(piece.getAttribute("data-piece"), moving ? getComputedStyle(piece).transform : asCss(piece.getAttribute("transform") ?? "none"));
  }
  return found;
}

/** Pieces travel from where they were; new ones appear. @param {Places} before @param {SVGSVGElement} svg */
export function travel(before, svg) {
  if (still.matches || before.size === 0) return;
  for (const piece of svg.querySelectorAll("[data-piece]")) {
    const from = before.get(piece.getAttribute("data-piece") ?? "");
    const to = asCss(piece.getAttribute("transform") ?? "none");
    if (from === to) continue;
    if (from === undefined) piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: LENGTH, easing: "ease-out" });
    else piece.animate([{ transform: from }, { transform: to }], { duration: LENGTH, easing: "ease-in-out" });
  }
}

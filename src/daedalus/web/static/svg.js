// Pictures from the server into the page: only shapes and their looks come through.

const TAGS = new Set(["svg", "g", "defs", "rect", "circle", "ellipse", "path", "line", "polyline", "polygon", "text", "tspan", "title", "desc", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern", "use", "symbol", "marker"]);
const NAMES = /^(?:data-(?:touch|piece)|aria-[a-z]+|[a-zA-Z][a-zA-Z0-9-]*)$/;
const DROPPED = /^(?:on.*|style|src|xmlns.*)$/i;
let count = 0;

/**
 * A picture as an element, without scripts, styles and addresses; ids are made its own, so that two pictures do not mix.
 * @param {string} text @returns {SVGSVGElement}
 */
export function picture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.localName !== "svg" || parsed.querySelector("parsererror")) return document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const own = `p${++count}-`;
  clean(root, own);
  return /** @type {any} */ (document.importNode(root, true));
}

/** @param {Element} node @param {string} own */
function clean(node, own) {
  for (const attribute of [...node.attributes]) {
    const { name, value } = attribute;
    if (name === "xmlns") continue;
    if (name === "href" || name === "xlink:href") {
      node.removeAttribute(name);
      if (value.startsWith("#")) node.setAttribute("href", `#${own}${value.slice(1)}`);
    } else if (!NAMES.test(name) || DROPPED.test(name) || /url\(\s*["']?(?!#)/i.test(value)) node.removeAttribute(name);
    else if (name === "id") node.setAttribute("id", own + value);
    else if (value.includes("url(#")) node.setAttribute(name, value.replaceAll("url(#", `url(#${own}`));
  }
  for (const child of [...node.children]) TAGS.has(child.localName) ? clean(child, own) : child.remove();
}

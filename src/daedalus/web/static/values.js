// How good the game stood for the first seat, move by move; a click goes to that position.

const NS = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [320, 72];

/** @param {string} tag @param {Object<string, any>} attributes */
function shape(tag, attributes) {
  const node = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

/**
 * @param {(number|null)[]} values of each ply, for seat 0, in -1..1 @param {number} at @param {string} name of seat 0
 * @param {(ply: number) => void} look
 */
export function chart(values, at, name, look) {
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", preserveAspectRatio: "none", role: "img", "aria-label": `Values for ${name}, move by move. The list of moves goes to the same positions.` });
  const last = Math.max(values.length - 1, 1);
  const x = (/** @type {number} */ ply) => (ply / last) * (WIDTH - 8) + 4;
  const y = (/** @type {number} */ value) => HEIGHT / 2 - value * (HEIGHT / 2 - 5);
  const points = values.map((value, ply) => [ply, value]).filter(([, value]) => typeof value === "number").map(([ply, value]) => `${x(/** @type {number} */ (ply)).toFixed(1)},${y(/** @type {number} */ (value)).toFixed(1)}`);
  svg.append(shape("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "zero" }));
  if (points.length > 1) svg.append(shape("polyline", { points: points.join(" "), class: "values" }));
  svg.append(shape("line", { x1: x(at), x2: x(at), y1: 0, y2: HEIGHT, class: "at" }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const share = ((/** @type {MouseEvent} */ (event).clientX - box.left) / box.width) * WIDTH;
    look(Math.round(Math.min(Math.max((share - 4) / (WIDTH - 8), 0), 1) * last));
  });
  return svg;
}

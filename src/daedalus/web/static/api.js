// Questions to the server over HTTP. An error is one sentence.

/**
 * @param {string} path @param {any} [body] with a body it is a POST @param {string} [token]
 * @returns {Promise<any>}
 */
async function ask(path, body, token) {
  /** @type {RequestInit} */
  const request = { credentials: "same-origin", headers: token ? { Authorization: `Bearer ${token}` } : {} };
  if (body !== undefined) Object.assign(request, { method: "POST", body: JSON.stringify(body), headers: { ...request.headers, "Content-Type": "application/json" } });
  let answer;
  try {
    answer = await fetch(path, request);
  } catch {
    throw Object.assign(new Error("The server cannot be reached. Is it still running?"), { unreachable: true });
  }
  const json = answer.headers.get("content-type")?.includes("json");
  const content = json ? await answer.json() : await answer.text();
  if (answer.ok) return content;
  throw new Error(json && typeof content.error === "string" ? content.error : `The server answered ${answer.status}.`);
}

const safe = encodeURIComponent;

export const api = {
  version: () => ask("/api/version"),
  games: () => ask("/api/games"),
  /** @param {string} game */
  game: (game) => ask(`/api/games/${safe(game)}`),
  /** @param {string} game */
  demo: (game) => ask(`/api/games/${safe(game)}/demo`),
  /** The text about playing here. */
  help: () => ask("/static/help.md"),
  /** @param {string} game @param {Object<string, string>} options */
  setup: (game, options) => ask(`/api/games/${safe(game)}/setup`, { options }),
  /** @param {string} game @param {number} number */
  lesson: (game, number) => ask(`/api/games/${safe(game)}/lessons/${number}`),
  /** @param {string} game @param {number} number @param {any} answer */
  answer: (game, number, answer) => ask(`/api/games/${safe(game)}/lessons/${number}`, answer),
  tables: () => ask("/api/tables"),
  /** @param {string} table */
  table: (table) => ask(`/api/tables/${safe(table)}`),
  /** @param {any} wanted */
  create: (wanted) => ask("/api/tables", wanted),
  /** @param {string} table @param {string} token */
  claim: (table, token) => ask(`/api/tables/${safe(table)}/claim`, {}, token),
  /** @param {string} table */
  record: (table) => ask(`/api/tables/${safe(table)}/record`),
};

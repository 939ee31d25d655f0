#!/usr/bin/env node
// A complete engine for any game, in plain JavaScript: plays a random legal move. Try it:
//
//     daedalus play blackhole --seats "human,engine:examples/engine.js"
//
// The protocol is in docs/engines.md. Replace `choose` by something better.

const readline = require("readline");

// The move for request.seat: everything that is known stands in the request.
function choose(request) {
  return request.legal[Math.floor(Math.random() * request.legal.length)];
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.type === "hello") {
    say({ type: "hello", name: "Random in JavaScript" });
  } else if (request.type === "move") {
    say({ type: "move", id: request.id, move: choose(request) });
  } else if (request.type === "bye") {
    process.exit(0);
  }
});

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
    say({ type: "hello", name: "Random in JavaScript", protocol: 2 });
  } else if (request.type === "ready") {
    say({ type: "ready", id: request.id }); // load here what you need for request.game
  } else if (request.type === "move") {
    say({ type: "move", id: request.id, move: choose(request) });
  } else if (request.type === "bye") {
    process.exit(0);
  }
  // A "stop" needs no answer of its own. This engine has moved before it can read one; one that thinks for long does it in
  // pieces (setImmediate), so that a stop is read between two of them, and says with "info" what it would play.
});

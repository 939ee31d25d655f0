#!/usr/bin/env python3
"""A complete engine for any game, in plain Python: plays a random legal move. Try it:

    daedalus play blackhole --seats "human,engine:examples/engine.py"

The protocol is in docs/engines.md. Replace `choose` by something better.
"""

import json
import random
import sys


def choose(request):
    """The move for `request["seat"]`: everything that is known stands in the request."""
    dice = random.Random(f"{request['seed']} {len(request['history'])}")  # the same seed, the same game
    return dice.choice(request["legal"])


def say(**message):
    print(json.dumps(message), flush=True)  # without flush the reply would wait in a buffer


for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "hello":
        say(type="hello", name="Random in Python", protocol=2)
    elif request["type"] == "ready":
        say(type="ready", id=request["id"])  # load here what you need for request["game"]
    elif request["type"] == "move":
        say(type="move", id=request["id"], move=choose(request))
    elif request["type"] == "bye":
        break
    # A "stop" needs no answer of its own. This engine has moved before it can read one; one that thinks for long reads its
    # input in a second thread, looks at it now and then, and says with "info" what it would play.

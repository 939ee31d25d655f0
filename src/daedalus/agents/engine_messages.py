"""What is said between Daedalus and an engine, as JSON lines (docs/engines.md): requests made, replies read and checked."""

import json
from dataclasses import asdict
from typing import Any

from daedalus.core import Candidate, Limit, Move, Position, Thought
from daedalus.core.options import parsed, written
from daedalus.core.printable import printable

from .engine_process import MAX_LINE

PROTOCOLS = (1, 2)  # version 2 adds ready, stop and the id of an info
MOST = 1000  # entries of a list, and characters of a note, that are kept
TOLD = ("value", "simulations", "depth", "line", "candidates", "note")  # what a reply, or the last info, may tell
_SEEDS = 2**31 - 1  # a number that every language reads as it is


class Fault(Exception):
    """What an engine did wrong, in a few words."""


class Silence(Fault):
    """It said nothing; if it has exited, that is the reason."""


def message(line: bytes) -> dict[str, Any]:
    """A line as an object with a type; raises Fault for any other."""
    if len(line) > MAX_LINE:
        raise Fault(f"sent a line of more than {MAX_LINE // 1_000_000} MB")
    try:
        found = json.loads(line.decode())
    except UnicodeDecodeError:
        raise Fault(f"sent a line that is not UTF-8: {line[:40]!r}") from None
    except (ValueError, RecursionError):
        raise Fault(f"sent a line that is not JSON: {line.decode().strip()[:60]!r}") from None
    if not isinstance(found, dict) or not isinstance(found.get("type"), str):
        raise Fault(f"sent a line that is no object with a type: {line.decode().strip()[:60]!r}")
    return found


def rules_of(game: Any, name: str) -> dict[str, Any]:
    """How a message names a game with its options; those that have their default are left out."""
    return {"game": name, "options": parsed(written(game))}


def request(number: int, view: Position, limit: Limit, seed: int) -> dict[str, Any]:
    """The question for a move: all that the seat to move may know."""
    return {
        "type": "move",
        "id": number,
        **rules_of(view.game, view.name),
        "seat": view.turn,
        "seats": view.game.SEATS,
        "position": view.text,
        "start": _start_text(view),
        "history": list(map(str, view.history)),
        "legal": list(map(str, view.legal_moves)),
        "limit": {name: bound for name, bound in asdict(limit).items() if bound is not None},
        "seed": seed & _SEEDS,
    }


def _start_text(view: Position) -> str | None:
    """The position before the first move; None in a hidden game, whose views know neither seed nor setup."""
    return view.setup if view.seed is None else Position(view.game, view.seed).text


def told(thought: Thought) -> dict[str, Any]:
    """A thought as a reply or an info tells it."""
    candidates = [{"move": str(c.move), "value": c.value, "visits": c.visits, "note": c.note} for c in thought.candidates]
    named = {"move": str(thought.move)} | {name: getattr(thought, name) for name in TOLD} | {"candidates": candidates}
    return {name: value for name, value in named.items() if value or (name == "value" and value is not None)}


def thought_of(view: Position, reply: dict[str, Any], seconds: float) -> Thought:
    """A reply as a thought; raises Fault for anything in it that is no good."""
    moves = {str(move): move for move in view.legal_moves}
    return Thought(
        _move(moves, reply),
        _number(reply, "value", -1, 1),
        tuple(_candidate(moves, said) for said in _list(reply, "candidates")),
        tuple(_expected(said) for said in _list(reply, "line")),
        int(_number(reply, "simulations", 0, 1e15) or 0),
        int(_number(reply, "depth", 0, 1e6) or 0),
        seconds,
        printable(text_in(reply, "note"), MOST),
    )


def _move(moves: dict[str, Move], said: Any) -> Move:
    text = said.get("move") if isinstance(said, dict) else None
    if not isinstance(text, str):
        raise Fault("its reply has no move")
    if text not in moves:
        some = list(moves)[:8]
        raise Fault(f"illegal move {text[:40]!r}; legal: {', '.join(some)}{', ...' if len(moves) > len(some) else ''}")
    return moves[text]


def _candidate(moves: dict[str, Move], said: Any) -> Candidate:
    move = _move(moves, said)
    visits = int(_number(said, "visits", 0, 1e15) or 0)
    return Candidate(move, _number(said, "value", -1, 1), visits, printable(text_in(said, "note"), MOST))


def _expected(said: Any) -> str:
    """A move of the line, which need not be legal here."""
    if not isinstance(said, str):
        raise Fault("its line is not a list of texts")
    return printable(said, 80)


def text_in(said: dict[str, Any], name: str) -> str:
    """A text of a message, empty when it has none."""
    text = said.get(name)
    if text is not None and not isinstance(text, str):
        raise Fault(f"its {name} is not a text")
    return text or ""


def _number(said: dict[str, Any], name: str, low: float, high: float) -> float | None:
    number = said.get(name)
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not low <= number <= high:
        raise Fault(f"its {name} is {brief(number)}, not a number from {low:g} to {high:g}")
    return number


def brief(said: Any) -> str:
    """What was said instead of what was wanted; of lists and objects only that they are such."""
    return f"{said!r:.40}" if said is None or isinstance(said, (str, int, float)) else f"a {type(said).__name__}"


def _list(said: dict[str, Any], name: str) -> list[Any]:
    found = said.get(name) or []
    if not isinstance(found, list):
        raise Fault(f"its {name} is {brief(found)}, not a list")
    return found[:MOST]

"""The lines of the text dialect: what `go` and `position` say, how thoughts and moves are written (docs/engines.md)."""

import json
import re
from dataclasses import dataclass, field

from daedalus.core import Candidate, InvalidOption, InvalidText, Limit, Position, Thought
from daedalus.core.contract import offers
from daedalus.core.errors import valid
from daedalus.core.printable import printable

NO_MOVE = "(none)"
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
_NUMBERS = ("movetime", "nodes", "depth", "wtime", "btime", "winc", "binc", "movestogo")
_MOST = 10**15
_MOVES_LEFT = 30  # a clock is shared out as if so many moves were still to come


def words(text: str) -> list[str]:
    """The words of a line; one in quotes is a JSON string, for moves with blanks in them."""
    return [_unquoted(word) if word.startswith('"') else word for word in _WORD.findall(text)]


def _unquoted(word: str) -> str:
    try:
        return str(json.loads(word, strict=False))
    except ValueError:
        return word


def word_of(move: object) -> str:
    """A move as one word."""
    text = str(move)
    return text if _WORD.fullmatch(text) and not text.startswith('"') else json.dumps(text, ensure_ascii=False)


@dataclass(frozen=True)
class Go:
    """What a `go` asks for; times in milliseconds."""

    numbers: dict[str, int] = field(default_factory=dict)
    infinite: bool = False
    ponder: bool = False

    @classmethod
    def parse(cls, text: str) -> "Go":
        """Raises InvalidOption when any of it cannot be read."""
        numbers: dict[str, int] = {}
        flags = {"infinite": False, "ponder": False}
        rest = iter(text.split())
        for word in rest:
            if word in flags:
                flags[word] = True
            elif word in _NUMBERS:
                number = next(rest, "")
                least = 0 if word in ("wtime", "btime", "winc", "binc") else 1
                if not (number.isdecimal() and len(number) <= 16 and least <= int(number) <= _MOST):
                    raise InvalidOption(f"go {word} {printable(number, 40)}: wants a whole number from {least}")
                numbers[word] = int(number)
            else:
                raise InvalidOption(valid("word after go", word, [*flags, *_NUMBERS]))
        return cls(numbers, **flags)

    def limit(self, turn: int, overhead: int) -> Limit:
        """The limit of this move for the seat to move; `overhead` is kept back for the way."""
        times = [ms for ms in (self.numbers.get("movetime"), self._share(turn)) if ms is not None]
        seconds = max(min(times) - overhead, min(times) / 2, 1) / 1000 if times else None
        return Limit(seconds and min(seconds, 1e8), self.numbers.get("nodes"), self.numbers.get("depth"))

    def _share(self, turn: int) -> float | None:
        """What this move may take of the clock; the clocks are those of seats 0 (w) and 1 (b)."""
        side = "wb"[turn] if turn < 2 else ""
        left = self.numbers.get(f"{side}time")
        if left is None:
            return None
        share = left / (self.numbers.get("movestogo", _MOVES_LEFT) + 1) + 0.75 * self.numbers.get(f"{side}inc", 0)
        return min(share, left / 2)


@dataclass(frozen=True)
class Setup:
    """What a `position` names: a text, or None for the start; moves made from there, or before it in a hidden game."""

    text: str | None
    moves: tuple[str, ...] = ()
    history: tuple[str, ...] = ()

    @classmethod
    def parse(cls, said: str) -> "Setup":
        """Raises InvalidText when it is neither."""
        place, keyword, rest = _parted(said)
        kind, _, text = place.strip().partition(" ")
        if (kind, text.strip()) == ("startpos", ""):
            where = None
        elif kind == "text" and text.strip():
            where = text.strip()
        else:
            raise InvalidText("write position startpos [moves ...], or position text TEXT [moves ...]")
        listed = tuple(words(rest))
        return cls(where, moves=listed) if keyword != "history" else cls(where, history=listed)


def _parted(said: str) -> tuple[str, str, str]:
    """What stands before the first word `moves` or `history`, that word, and what follows."""
    found = re.search(r"(?<!\S)(moves|history)(?!\S)", said)
    return (said[: found.start()], found[1], said[found.end() :]) if found else (said, "", "")


def info_lines(thought: Thought, seconds: float, best: int) -> list[str]:
    """A thought as `info` lines: the move it would make, then other candidates, `best` lines in all."""
    first = Candidate(thought.move, thought.value, 0, thought.note)
    own = next((c for c in thought.candidates if c.move == thought.move), first)
    others = [c for c in thought.candidates if c.move != thought.move]
    line = thought.line if thought.line and thought.line[0] == str(thought.move) else (str(thought.move),)
    lines = [_info(thought, seconds, 1, thought.value, own.visits, line, thought.note)]
    for place, other in enumerate(others[: best - 1], 2):
        lines.append(_info(thought, seconds, place, other.value, other.visits, (str(other.move),), other.note))
    return lines


def _info(
    thought: Thought, seconds: float, place: int, value: float | None, visits: int, line: tuple[str, ...], note: str
) -> str:
    said: list[object] = ["info"]
    if thought.depth:
        said += ["depth", thought.depth]
    said += ["multipv", place]
    if value is not None:
        said += ["score value", f"{value:.4g}"]
    if thought.simulations:
        said += ["nodes", thought.simulations, "nps", int(thought.simulations / max(seconds, 1e-3))]
    if visits:
        said += ["visits", visits]
    said += ["time", int(1000 * seconds), "pv", *map(word_of, line)]
    if note:
        said += ["string", printable(note)]
    return " ".join(map(str, said))


def bestmove(view: Position, thought: Thought) -> str:
    """The answer, with the reply it expects where that can be known: what follows a move in a hidden game cannot."""
    said = f"bestmove {word_of(thought.move)}"
    if offers(type(view.game), "redeal") or len(thought.line) < 2 or thought.line[0] != str(thought.move):
        return said
    after = view.copy()
    after.push(thought.move)
    return f"{said} ponder {word_of(thought.line[1])}" if thought.line[1] in map(str, after.legal_moves) else said

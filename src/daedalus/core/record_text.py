"""How a record is spelled: tags, moves, remarks, and reading them line by line.

Everything that could be mistaken for something else is a JSON string in quotes, and every line of moves begins with
the number of a round, so none can be mistaken for the result that ends a record.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .agent import Thought
from .errors import InvalidRecord
from .printable import visible

MOST_WORDS = 1000  # characters of a remark, or of a tag that is for people
_WIDTH = 100  # lines of moves break after a round, about here
_STRING = r'"(?:[^"\\]|\\.)*+"'
_NUMBER = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_WORD = r'[^\s{}"\\;\[\ud800-\udfff][^\s{}"\\\ud800-\udfff]*'
_ROUND = r"(?P<round>[0-9]+)\.(?=\s|$)"
_TAG = re.compile(rf"\[\s*([A-Za-z0-9_]+)\s+({_STRING})\s*\]")
_TOKEN = re.compile(rf'\s*(?:{_ROUND}|(?P<quoted>{_STRING})|\{{(?P<comment>(?:{_STRING}|[^"{{}}])*+)\}}|(?P<word>{_WORD}))\s*')
_PLAIN_MOVE = re.compile(rf"(?!{_ROUND}){_WORD}")
_REMARK = re.compile(
    rf"\s*(?:(?P<seconds>{_NUMBER})s(?!\S)\s*)?(?:(?P<value>[+-]{_NUMBER})(?!\S)\s*)?"
    r"(?:n=(?P<simulations>\d{1,18})(?!\S)\s*)?(?P<text>.*)",
    re.ASCII | re.DOTALL,
)
OPENS = re.compile(r"\[\s*Game\b")  # whatever is damaged, a line like this begins a record


@dataclass(frozen=True)
class Remark:
    """What is noted beside a move: seconds used, value for the seat that moved, simulations, free text (made visible)."""

    seconds: float | None = None
    value: float | None = None
    simulations: int | None = None
    text: str = ""

    def __post_init__(self) -> None:
        sound = {
            "seconds": self.seconds is None or 0 <= self.seconds < math.inf,
            "value": self.value is None or math.isfinite(self.value),
            "simulations": self.simulations is None or 0 <= self.simulations < 10**18,
        }
        for name, fine in sound.items():
            if not fine:
                raise InvalidRecord(f"{name} of a remark cannot be {getattr(self, name)}")
        object.__setattr__(self, "text", visible(self.text, MOST_WORDS))

    @classmethod
    def of(cls, thought: Thought, text: str = "") -> "Remark":
        """The remark on a move that an agent chose, rounded to what is worth keeping."""
        value = None if thought.value is None or not math.isfinite(thought.value) else round(thought.value, 4)
        return cls(round(thought.seconds, 3), value, thought.simulations or None, text)

    def __str__(self) -> str:
        words = [
            "" if self.seconds is None else f"{abs(self.seconds)}s",
            "" if self.value is None else f"{self.value:+}",
            "" if self.simulations is None else f"n={self.simulations}",
            _quoted(self.text) if self.text else "",
        ]
        return "{" + " ".join(filter(None, words)) + "}"

    @classmethod
    def parse(cls, comment: str) -> "Remark":
        """What stands between the braces; words that are no numbers are free text."""
        found = _REMARK.fullmatch(comment)
        assert found is not None  # every part may be missing and the rest is text
        seconds, value, simulations, text = found.groups()
        text = text.strip()
        return cls(
            float(seconds) if seconds else None,
            float(value) if value else None,
            int(simulations) if simulations else None,
            _unquoted(text) if text.startswith('"') else text,
        )


def tag_line(name: str, value: str) -> str:
    """One tag: `[Game "blackhole"]`."""
    return f"[{name} {_quoted(value)}]"


def move_lines(moves: list[str], remarks: list[Remark | None], seats: int) -> Iterator[str]:
    """The moves with their remarks, numbered by rounds of one move a seat."""
    words: list[str] = []
    for move, remark in zip(moves, remarks, strict=True):
        words.append(move if _PLAIN_MOVE.fullmatch(move) else _quoted(move))
        if remark is not None:
            words[-1] += f" {remark}"
    starts = range(0, len(words), seats)
    return _packed(" ".join([f"{start // seats + 1}.", *words[start : start + seats]]) for start in starts)


def _packed(rounds: Iterable[str]) -> Iterator[str]:
    """Rounds joined to lines of a readable length."""
    line = ""
    for words in rounds:
        if line and len(line) + len(words) >= _WIDTH:
            yield line
            line = ""
        line = f"{line} {words}" if line else words
    if line:
        yield line


def _quoted(text: str) -> str:
    """A JSON string; half characters, which no file can hold, as escapes too."""
    return json.dumps(text, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()


def _unquoted(string: str) -> str:
    try:
        text: str = json.loads(string, strict=False)
    except ValueError as error:
        raise InvalidRecord(f"{string[:40]} is not a string in quotes ({error})") from None
    return text


class Draft:
    """A record being read, line by line."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.moves: list[str] = []
        self.remarks: list[Remark | None] = []
        self._rounds = 0

    def take(self, line: str) -> bool:
        """Reads one more line; True when it was the record's last."""
        try:
            line.encode()
        except UnicodeEncodeError:
            raise InvalidRecord("this is not UTF-8 text") from None
        if not self.tags and not OPENS.match(line):
            raise InvalidRecord(f'a record begins with its game, [Game "..."], not with {line[:40]!r}')
        if line.startswith("["):
            self._take_tag(line)
        elif "Result" not in self.tags:
            raise InvalidRecord("the tag Result is missing before the moves")
        elif line.split() == self.tags["Result"].split():
            return True
        else:
            self._take_moves(line)
        return False

    def _take_tag(self, line: str) -> None:
        found = _TAG.fullmatch(line)
        if not found:
            raise InvalidRecord(f'a tag is written [Name "value"], not {line[:40]!r}')
        if self._rounds or self.moves:
            raise InvalidRecord(f"the tag {found[1]} stands among the moves")
        if found[1] in self.tags:
            raise InvalidRecord(f"the tag {found[1]} is here twice")
        self.tags[found[1]] = _unquoted(found[2])

    def _take_moves(self, line: str) -> None:
        at = 0
        while at < len(line):
            found = _TOKEN.match(line, at)
            if not found:
                raise InvalidRecord(f"neither a move nor a comment that ends on its line: {line[at : at + 40]!r}")
            self._take_token(found)
            at = found.end()

    def _take_token(self, found: re.Match[str]) -> None:
        if found["round"]:
            self._rounds += 1
            if found["round"] != str(self._rounds):
                raise InvalidRecord(f"round {found['round'][:10]} where round {self._rounds} was due")
        elif found["comment"] is not None:
            if not self.moves or self.remarks[-1] is not None:
                raise InvalidRecord("a comment follows its move, one a move")
            self.remarks[-1] = Remark.parse(found["comment"])
        else:
            self.moves.append(_unquoted(found["quoted"]) if found["quoted"] else found["word"])
            self.remarks.append(None)

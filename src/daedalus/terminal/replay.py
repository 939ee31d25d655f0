"""Stepping through a record: all positions at once for pipes and programs, one at a time for people."""

import time
from typing import Any

from daedalus.core import Position
from daedalus.core.hidden import hides
from daedalus.core.record import Record

from . import format
from .arguments import check_ply
from .input import Ask, Question
from .screen import Screen

_ANSWERS = {"b": "one move back", "q": "leave", "0": "to the start; any number is a ply"}


def listing(screen: Screen, records: list[Record], as_json: bool) -> None:
    """The records of a file, a line each."""
    rows = [
        {
            "number": number,
            "game": f"{record.tags['Game']} {record.tags.get('Options', '')}".strip(),
            "players": " - ".join(record.players),
            "plies": len(record.moves),
            "result": record.result,
            "date": record.tags.get("Date", ""),
        }
        for number, record in enumerate(records, 1)
    ]
    if as_json:
        screen.data(rows)
    else:
        screen.table(list(rows[0]), [list(row.values()) for row in rows])


def as_seen(record: Record, seat: int | None) -> tuple[Record, list[Position]]:
    """A record and its positions as a seat may know them: no deal, no hidden cards, none of the others' judgements."""
    positions = list(record.positions())
    if seat is None or not hides(positions[0].game):
        return record, positions
    tags = {name: text for name, text in record.tags.items() if name not in ("Seed", "Setup")}
    own = [remark if before.turn == seat else None for remark, before in zip(record.remarks, positions, strict=False)]
    return Record(tags, record.moves, own), [position.view(seat) for position in positions]


def data(record: Record, ply: int | None, seat: int | None = None) -> dict[str, Any]:
    """A record for programs: its tags and every position, or the one asked for, as a seat may know them."""
    record, positions = as_seen(record, seat)
    told = [
        {"ply": number, "move": _move(record, number), "remark": _remark(record, number), "position": position.text}
        for number, position in enumerate(positions)
    ]
    if ply is not None:
        check_ply(ply, len(record.moves))
        told = told[ply : ply + 1]
    return {"tags": record.tags, "positions": told}


def _move(record: Record, ply: int) -> str | None:
    return record.moves[ply - 1] if ply else None


def _remark(record: Record, ply: int) -> str | None:
    remark = record.remarks[ply - 1] if ply else None
    return None if remark is None else str(remark)


class Replay:
    """A record on a screen, standing at one of its plies, as a seat may know it (None: all of it)."""

    def __init__(self, record: Record, screen: Screen, ply: int = 0, seat: int | None = None) -> None:
        check_ply(ply, len(record.moves))
        self.record, self._positions = as_seen(record, seat)
        self.screen = screen
        self.ply = ply

    @property
    def plies(self) -> int:
        return len(self.record.moves)

    def draw(self) -> None:
        """The board with the move that led there, and at the end the result."""
        position = self._positions[self.ply]
        self.screen.wipe()
        players = " - ".join(self.record.players)
        self.screen.say(f"{format.title(position.game)}   {players}   ply {self.ply} of {self.plies}", "dim")
        self.screen.board(position)
        said = [_move(self.record, self.ply), _remark(self.record, self.ply)]
        if self.ply:
            self.screen.say(f"{self.ply}. " + "   ".join(filter(None, said)), "cyan")
        if self.ply == self.plies:
            self.screen.say(self._result(), "bold")

    def _result(self) -> str:
        outcome = self._positions[-1].outcome()
        if outcome:
            return format.result(self._positions[-1].game, outcome)
        reason = self.record.tags.get("Reason", "")
        return f"Result {self.record.result}" + (f": {reason}" if reason else "")

    def go(self, ply: int) -> None:
        """Stands at another ply and draws it."""
        self.ply = ply
        self.draw()

    def run_through(self, delay: float = 0.0) -> None:
        """Every position from here to the end."""
        self.draw()
        while self.ply < self.plies:
            time.sleep(delay)
            self.go(self.ply + 1)

    def walk(self, ask: Ask) -> None:
        """Enter steps on, b back, a number goes to that ply, q leaves."""
        self.draw()
        while True:
            try:
                answer = ask(Question("Enter next, b back, q quit> ", _ANSWERS)).strip().lower()
            except EOFError:
                return
            if answer in ("q", "quit"):
                return
            wanted = self._wanted(answer)
            if wanted is None:
                self.screen.wrong(f"'{answer}': Enter, b, q or the number of a ply")
            elif not 0 <= wanted <= self.plies:
                self.screen.wrong("this is the end" if wanted > self.plies else "this is the start")
            else:
                self.go(wanted)

    def _wanted(self, answer: str) -> int | None:
        """The ply an answer asks for; None if it is no answer."""
        if not answer:
            return self.ply + 1
        if answer in ("b", "back"):
            return self.ply - 1
        return int(answer) if answer.isdecimal() else None

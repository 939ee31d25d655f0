"""The games that a server offers, and what an options panel and a list of opponents need to know about them."""

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from daedalus.agents import describe, make_agent, names_file
from daedalus.agents.levels import BEGINNING, MEANING, levels, plays
from daedalus.core import ONLOOKER, Agent, DaedalusError, Game, InvalidOption, InvalidSpec, Position, options_of
from daedalus.core.grid import seat_names
from daedalus.core.guide import Guide, guide_of
from daedalus.core.hidden import hides
from daedalus.core.options import Option, make
from daedalus.core.printable import printable
from daedalus.core.registry import Registration, find, game_names, registration_of

from .settings import Settings

PERFECT = "perfect"
_MEANING = MEANING | {PERFECT: "never errs"}
_OPENING = 12  # plies of a demo where a game has none of its own
_SHOWN = 8  # boards of a demo


class Catalogue:
    """The games by their ids: those of the package by name, the owner's own as own-1, own-2, ..."""

    def __init__(self, own: Sequence[str] = ()) -> None:
        names = [name for name in own if name not in game_names()]
        self._names = {name: name for name in game_names()} | {f"own-{number}": name for number, name in enumerate(names, 1)}
        for identity in self._names:
            self.entry(identity)

    @property
    def ids(self) -> list[str]:
        return list(self._names)

    def entry(self, identity: str) -> Registration:
        """The registered game; positions run interpreted here, since the compiler belongs to the workers."""
        if identity not in self._names:
            raise KeyError(identity)
        entry = find(self._names[identity])
        entry.by_hand = True
        return entry

    def name_of(self, identity: str) -> str:
        """What a store keeps: the number of a game of the owner's own may be another's at the next start."""
        return self._names[identity]

    def id_of(self, name: str) -> str | None:
        """The id of the game of that name, None if it is not offered now."""
        return next((identity for identity, known in self._names.items() if known == name), None)

    def game(self, identity: str, options: Mapping[str, str]) -> Game:
        """A game with the options that a stranger gave: no file is read for them."""
        rules = self.entry(identity).rules
        for option in options_of(rules):
            if option.type == "text" and option.name in options:
                _demand_no_file(option, options[option.name])
        game: Game = make(rules, dict(options))
        return game

    def seats(self, identity: str, options: Mapping[str, str]) -> list[str]:
        """The names of a game's seats."""
        return list(self._seats(identity, tuple(options.items())))

    @lru_cache(maxsize=1024)  # noqa: B019 (one catalogue a server)
    def _seats(self, identity: str, options: tuple[tuple[str, str], ...]) -> list[str]:
        return seat_names(self.game(identity, dict(options)))

    def title(self, identity: str) -> str:
        """What the game is called on a page."""
        return self.guide(identity).title

    def guide(self, identity: str) -> Guide:
        return guide_of(self.entry(identity).rules())

    def card(self, identity: str) -> dict[str, Any]:
        """A game on the home page."""
        game, guide = self.entry(identity).rules(), self.guide(identity)
        return {
            "id": identity,
            "title": self.title(identity),
            "sentence": guide.sentence,
            "seats": seat_names(game),
            "hidden": hides(game),
            "board": self.demo(identity)[-1],
            "lessons": len(guide.lessons),
            "own": identity.startswith("own-"),
        }

    def page(self, identity: str) -> dict[str, Any]:
        """All about a game."""
        game, guide = self.entry(identity).rules(), self.guide(identity)
        options = [
            {
                "name": option.name,
                "help": option.help,
                "type": option.type,
                "choices": list(option.choices),
                "low": option.low,
                "high": option.high,
                "default": option.default_text,
            }
            for option in options_of(type(game))
        ]
        return self.card(identity) | {
            "rules": guide.rules,
            "notation": guide.notation,
            "agents": [
                {"name": info.name, "meaning": info.help} for info in describe(self._names[identity]) if info.name != "engine"
            ],
            "options": options,
            "levels": level_list(game),
            "default_level": BEGINNING,
            "seat_names": seat_names(game),
        }

    def setup(self, identity: str, options: Mapping[str, str]) -> dict[str, Any]:
        """What options mean: the seats, the opponents, the board."""
        game = self.game(identity, options)
        board = Position(game, 1).view(ONLOOKER).parts().board
        return {"seats": seat_names(game), "levels": level_list(game), "board": board}

    @lru_cache(maxsize=64)  # noqa: B019 (one catalogue a server)
    def demo(self, identity: str) -> list[str]:
        """The last boards of a game well played; of a user's own game, after some moves by chance."""
        position, moves = Position(self.entry(identity).rules(), 1), self.guide(identity).demo
        boards, dice = [], Random(1)
        for ply in range(len(moves) or _OPENING):
            position.push(moves[ply] if moves else dice.choice(position.legal_moves.codes))
            if position.outcome() is not None:
                break
            boards.append(position.view(ONLOOKER).parts().board)
        return boards[-_SHOWN:] or [position.view(ONLOOKER).parts().board]


def _demand_no_file(option: Option, value: str) -> None:
    """Refuses a file's name, in the same words whether there is such a file or not."""
    if value == option.default_text:
        return
    try:
        refused = os.path.lexists(value)
        if not refused:
            option.read(value)
    except InvalidOption:
        refused = True
    if refused:
        raise InvalidOption(f"{option.name}={printable(value, 80)}: takes {option.takes}; but files are not read here")


def level_list(game: Game) -> list[dict[str, str]]:
    """The levels that a game has with its options, the weakest first."""
    return [{"name": name, "meaning": _MEANING[name]} for name in _levels(game)]


def _levels(game: Game) -> dict[str, str]:
    found = levels(game)
    return found | {PERFECT: PERFECT} if plays(PERFECT, game) else found


def checked_spec(spec: str, game: Game, settings: Settings, allow_code: bool = False) -> str:
    """The spec that a level or a stranger's spec means here; refused when it names code or more effort than is allowed."""
    spec = spec.strip()
    known = _levels(game)
    if spec in known:
        return known[spec]
    name = spec.replace(",", ":").partition(":")[0]
    named = {info.name for info in describe(registration_of(game).name)} - {"engine"} | set(registration_of(game).agents)
    if name not in named:
        if not allow_code:
            raise InvalidSpec(
                f"'{printable(spec, 80)}' does not play here; levels: {', '.join(known)}; or {', '.join(sorted(named))}"
            )
        if ".py" in spec and not Path(spec.partition(":")[0]).is_file():
            raise InvalidSpec(f"'{printable(spec, 80)}': there is no such file")
    if names_file(spec) and not allow_code:
        raise InvalidSpec(f"'{printable(spec, 80)}' names a file, which only the owner of this server may")
    agent = make_agent(spec, game)
    try:
        _bound(agent, settings)
    finally:
        agent.close()
    return spec


def _bound(agent: Agent, settings: Settings) -> None:
    bounds = {
        "seconds": settings.most_seconds,
        "first": settings.most_seconds,
        "simulations": settings.most_simulations,
        "threads": settings.most_threads,
        "nodes": settings.most_nodes,
        "table": settings.most_table,
    }
    for option in options_of(agent):
        value, bound = getattr(agent, option.name, None), bounds.get(option.name)
        if bound is not None and isinstance(value, (int, float)) and value > bound:
            raise InvalidSpec(f"{option.name}={value}: at most {bound:g} here")


def refusal(error: BaseException) -> str:
    """What went wrong in a game that we may not know, as one sentence."""
    text = printable(str(error), 400) if isinstance(error, DaedalusError) else type(error).__name__
    return text or type(error).__name__

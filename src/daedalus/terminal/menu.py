"""Choosing what to play when the command line does not say: the game, the opponent, the seat."""

from collections.abc import Mapping

from daedalus.core import DaedalusError, Game
from daedalus.core.guide import guide_of
from daedalus.core.registry import game_names, make_game, registration_of

from . import format, levels
from .hidden import HUMAN
from .input import Ask, Question
from .screen import Screen

_MORE = "more"


def choose(screen: Screen, ask: Ask) -> tuple[str, list[str]]:
    """A game's name and a spec for each seat."""
    name = _pick(screen, ask, "Which game?", {name: guide_of(make_game(name)).sentence for name in game_names()})
    game = make_game(name)
    spec = _opponent(screen, ask, game)
    seats = {format.seat_name(game, seat): "moves first" if seat == 0 else "" for seat in range(game.SEATS)}
    mine = list(seats).index(_pick(screen, ask, "Where do you sit?", seats)) if spec != HUMAN else 0
    return name, [HUMAN if seat == mine else spec for seat in range(game.SEATS)]


def _opponent(screen: Screen, ask: Ask, game: Game) -> str:
    """The spec of an opponent: a level, somebody beside the player, or any spec."""
    own = levels.levels(game)
    offered = levels.MEANING | {HUMAN: "somebody beside you", _MORE: "other agents, by name or spec"}
    while True:
        chosen = _pick(screen, ask, "Against whom?", offered, free=True)
        if chosen == _MORE:
            from daedalus.agents import describe

            known = {info.name: info.help for info in describe(registration_of(game).name)}
            chosen = _pick(screen, ask, "Which agent? (a name, or a spec as in mcts:seconds=1)", known, free=True)
        spec = own.get(chosen, chosen)
        try:
            if spec != HUMAN:
                levels.make(spec, game, 0).close()
            return spec
        except DaedalusError as error:
            screen.wrong(format.one_line(error))


def _pick(screen: Screen, ask: Ask, title: str, choices: Mapping[str, str], free: bool = False) -> str:
    """One of the choices by number or name; Enter takes the first. With `free`, any other text is an answer too.

    `q` leaves like the end of the input: EOFError.
    """
    names = list(choices)
    width = max(map(len, names))
    screen.say(title, "bold")
    for number, (name, meaning) in enumerate(choices.items(), 1):
        screen.say(f"  {number}  {name:<{width}}  {meaning}".rstrip(), hanging=width + 7)
    while True:
        answer = ask(Question(f"[{names[0]}]> ", choices)).strip()
        if not answer:
            return names[0]
        if answer.lower() in ("q", "quit"):
            raise EOFError
        if answer.isdigit() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        near = [name for name in names if name.lower() == answer.lower()]
        if near or free:
            return near[0] if near else answer
        screen.wrong(f"'{answer}': answer with a number from 1 to {len(names)} or a name, q to leave")

"""Choosing what to play when the command line does not say: the game, the opponent, the seat."""

from collections.abc import Mapping

from daedalus.core import DaedalusError
from daedalus.core.registry import find, game_names, make_game

from . import format
from .hidden import HUMAN
from .input import Ask, Question
from .screen import Screen


def choose(screen: Screen, ask: Ask) -> tuple[str, list[str]]:
    """A game's name and a spec for each seat."""
    import daedalus
    from daedalus.agents import default_opponent, describe

    name = _pick(screen, ask, "Which game?", {name: find(name).headline for name in game_names()})
    game = make_game(name)
    best = default_opponent(game)
    known = {info.name: info.help for info in describe(name) if info.name != "engine"}
    offered = {best: known.get(best, "a good opponent"), **known, HUMAN: "somebody beside you"}
    while True:
        spec = _pick(screen, ask, "Against whom? (a name, or any agent spec)", offered, free=True)
        try:
            if spec != HUMAN:
                daedalus.agent(spec, game).close()
            break
        except DaedalusError as error:
            screen.wrong(format.one_line(error))
    seats = {format.seat_name(game, seat): "moves first" if seat == 0 else "" for seat in range(game.SEATS)}
    mine = list(seats).index(_pick(screen, ask, "Where do you sit?", seats)) if spec != HUMAN else 0
    return name, [HUMAN if seat == mine else spec for seat in range(game.SEATS)]


def _pick(screen: Screen, ask: Ask, title: str, choices: Mapping[str, str], free: bool = False) -> str:
    """One of the choices by number or name; Enter takes the first. With `free`, any other text is an answer too.

    `q` leaves like the end of the input: EOFError.
    """
    names = list(choices)
    width = max(map(len, names))
    screen.say(title, "bold")
    for number, (name, meaning) in enumerate(choices.items(), 1):
        screen.say(f"  {number}  {name:<{width}}  {meaning}".rstrip())
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

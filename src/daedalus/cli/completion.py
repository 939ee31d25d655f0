"""What the shell offers at Tab: games, agents with their options, options of games, runs, studies.

`daedalus --install-completion` sets it up. Bash takes a word apart at `:` and `=` and completes only what follows them, so
its words are put together before the command line is read, and the beginning is cut off what is offered.
"""

import contextlib
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from daedalus.core.options import Option

VARIABLE = "_DAEDALUS_COMPLETE"
_BREAKS = ":="
Offers = Iterable[tuple[str, str]]  # each with what it means


@contextlib.contextmanager
def for_bash(environment: MutableMapping[str, str] = os.environ) -> Iterator[None]:
    """Puts the words together that bash took apart, and cuts off what is printed the part that bash has already."""
    if environment.get(VARIABLE) != "complete_bash":
        yield
        return
    words = _joined(environment.get("COMP_WORDS", "").split("\n")[: int(environment.get("COMP_CWORD", "0")) + 1])
    environment["COMP_WORDS"], environment["COMP_CWORD"] = "\n".join(words), str(len(words) - 1)
    known = len(words[-1]) - len(re.split(f"[{_BREAKS}]", words[-1])[-1])
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            yield
    finally:
        print(*(line[known:] for line in printed.getvalue().splitlines()), sep="\n")


def _joined(parts: list[str]) -> list[str]:
    words = parts[:1]
    for before, part in pairwise(parts):
        if (part and part[0] in _BREAKS) or (before and before[-1] in _BREAKS):
            words[-1] += part
        else:
            words.append(part)
    return words


def _offering(offers: Callable[[typer.Context, str], Offers]) -> Callable[[typer.Context, str], list[tuple[str, str]]]:
    """A completion that never fails: Tab is no place for an error."""

    def complete(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
        with contextlib.suppress(Exception):
            return list(offers(ctx, incomplete))
        return []

    return complete


@_offering
def games(ctx: typer.Context, incomplete: str) -> Offers:
    from daedalus.core.registry import game_names, headline, rules_of

    return [(name, headline(rules_of(name))) for name in game_names()]


@_offering
def game_options(ctx: typer.Context, incomplete: str) -> Offers:
    """`size=`, then the values."""
    from daedalus.core.options import options_of
    from daedalus.core.registry import find

    return _assignments("", options_of(find(_game(ctx)).rules))


@_offering
def specs(ctx: typer.Context, incomplete: str) -> Offers:
    return _specs(ctx, incomplete)


@_offering
def seats(ctx: typer.Context, incomplete: str) -> Offers:
    """Specs after each other, or `human`; the last one is under way."""
    before, comma, last = incomplete.rpartition(",")
    offered = [("human", "you"), *_specs(ctx, last)]
    return [(before + comma + text, meaning) for text, meaning in offered]


@_offering
def runs(ctx: typer.Context, incomplete: str) -> Offers:
    from daedalus import arena

    db = ctx.params.get("db") or ctx.obj
    return [
        (run.name, f"{run.settings['kind']} of {run.settings['game']}, {run.done} of {run.total}")
        for run in arena.list_runs(db)
    ]


@_offering
def studies(ctx: typer.Context, incomplete: str) -> Offers:
    from daedalus.studies import studies as known

    return [*((name, "") for name in known()), ("all", "one after the other")]


@_offering
def limits(ctx: typer.Context, incomplete: str) -> Offers:
    from daedalus.core.limits import NAMED, Limit

    before, comma, _ = incomplete.rpartition(",")
    names = [*(f"{name}=" for name in Limit.__dataclass_fields__), *NAMED]
    return [(before + comma + name, "") for name in names]


def _game(ctx: typer.Context) -> Any:
    """The game on the command line; an option without its value hides it from the parser, so the words are looked at too."""
    from daedalus.core.registry import game_names

    words = (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()
    return ctx.params.get("game") or next((word for word in words if word in game_names() or ".py:" in word), None)


def _specs(ctx: typer.Context, incomplete: str) -> Offers:
    """`mcts`, then `mcts:simulations=`, then the values."""
    from daedalus.agents import describe

    known = {info.name: info for info in describe(_game(ctx))}
    name, colon, rest = incomplete.partition(":")
    if not colon:
        return [(info.name, info.help) for info in known.values()]
    before, comma, _ = rest.rpartition(",")
    return _assignments(f"{name}:{before}{comma}", known[name].options)


def _assignments(before: str, options: "Iterable[Option]") -> Iterator[tuple[str, str]]:
    """`name=` for each option, and `name=value` where only a few values are taken."""
    for option in options:
        yield f"{before}{option.name}=", option.help
        values = ("yes", "no") if option.type == "switch" else option.choices
        yield from ((f"{before}{option.name}={value}", option.help) for value in values)

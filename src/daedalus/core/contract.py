"""What a game is: the methods kernels call, how it presents itself to screens and records, and the check at registration.

A game is a NamedTuple class whose fields are its options (numbers, with defaults). Two class constants (or properties,
when they depend on the options) size its memory, the others have defaults:

    STATE      the fields of a state, as for np.dtype; or any class, for rules in plain Python objects (not compiled)
    MAX_MOVES  no position has more legal moves
    SEATS      how many seats (2)
    LABELS     every label is below this (an information-set tree files moves by label)
    OPTIONS    what the options mean: {"size": Choice("cells on a side", (5, 7, 9))}; see core/options.py
    SEAT_NAMES what the seats are called: ("Red", "Blue")
    SCRATCH    more fields of the workspace `w`, as in STATE; nothing in them lasts from one call to the next
    FEATURES   how many numbers `features` writes (default: what `feature_names` adds up to)
    ACTIONS    every number of `action` is below this
  and agree()  raises InvalidOption if the options do not fit together

Kernel methods, `s` a state record, `w` a workspace with the generator `w.rng`, the move buffer `w.buf` and, beside it,
the priors `w.prior`. Interpreted they are ordinary methods; compiled they must stay within what Numba compiles.

    start(s, w)          opening position in the zeroed s; all shuffling and dealing happens here
    turn(s)              the seat to move
    moves(s, w)          writes the legal moves to w.buf, returns how many; a running game has at least one
    play(s, m)           makes legal move m in place; it has no workspace: what it must know is in the state
    over(s)              has it ended?
    payoff(s, seat)      the result for a seat, in [-1, 1]
  optional:
    random_move(s, w)    a rollout move without listing all
    evaluate(s, seat, w) heuristic value in (-1, 1)
    redeal(s, seat, w)   replaces all that seat cannot know by a sample that depends on nothing else; games that have it are hidden
    key(s)               64-bit hash, not 0, of what makes two positions the same; with an option `repetition`, for that rule too
    label(s, m)          what move m means to an onlooker
    features(s, seat, out)  what a network sees: FEATURES numbers that a seat may know, all of them written, as seen from the
                         seat's side: the board turned or mirrored so that all seats see the same picture
    action(s, m)         the number of legal move m in a fixed list of actions, from the mover's side, as in `features`; moves
                         whose labels differ have different numbers

Presentation, plain Python, in the class or in the game's modules (`seat` is who looks: None sees all, ONLOOKER only what
lies open to everybody; `history` are the moves made so far; `touched` the touches already made of a move under way):

    move_text(s, m)            short text of a move, unique among the legal ones
    read_move(s, text)         the move a text means (default: the legal move with that text)
    position_text(s, seat)     the whole position as one line
    read_position(s, text)     fills the zeroed s from such a line or raises InvalidText
    ending(s)                  why it ended, a few words
    summary(s, seat)           a line under the board: stocks, counts
    terminal(s, seat, last)    a picture for a terminal, a rich Text; last is the Move just made or None
    pictures(s, seat, last, flipped)  such pictures of several sizes, the largest first, or all seen from the other side
    touches(s, m)              the touches that make move m: none is the beginning of another's
    grid(s, seat)              the board as rows of 0 (nothing), numbers or letters, for pictures nobody drew; None for no board
    parts(s, seat, history, touched, flip)  a picture of the move under way: the board and what lies beside it, see drawing.py
    svg(s, seat, last)         the whole picture as one SVG (default: the parts put together)
    touch_name(s, seat, touch) the spoken name of a touch, with what stands there
    spoken(s, seat)            the position in a few sentences
    spoken_move(s, m)          a move in words
    feature_names()            the groups of numbers that `features` writes, in order: (name, how many, meaning), or
                               (rows, columns) for a grid, top row first; see core/features.py
    symmetries()               ways to turn or mirror the board that change nothing (default: none), each as two lists: for every
                               feature and every action of the turned board the number of that on the board as it is
"""

import inspect
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from . import presentation
from .compile import dispatch
from .drawing import Picture
from .errors import InvalidGame
from .features import total
from .kernels import defaults

REQUIRED = {
    "start": "s, w",
    "turn": "s",
    "moves": "s, w",
    "play": "s, m",
    "over": "s",
    "payoff": "s, seat",
}
OPTIONAL = {
    "random_move": "s, w",
    "evaluate": "s, seat, w",
    "redeal": "s, seat, w",
    "key": "s",
    "label": "s, m",
    "features": "s, seat, out",
    "action": "s, m",
}
PRESENTATION = {
    "move_text": "s, m",
    "read_move": "s, text",
    "position_text": "s, seat",
    "read_position": "s, text",
    "ending": "s",
    "summary": "s, seat",
    "terminal": "s, seat, last",
    "pictures": "s, seat, last, flipped",
    "touches": "s, m",
    "grid": "s, seat",
    "parts": "s, seat, history, touched, flip",
    "svg": "s, seat, last",
    "touch_name": "s, seat, touch",
    "spoken": "s, seat",
    "spoken_move": "s, m",
    "feature_names": "",
    "symmetries": "",
}
ONLOOKER = -1  # who looks on and sits nowhere
# What a policy (pick a rollout move, give priors to the n moves in w.buf), an evaluation and a dealer offer, see
# daedalus.search.
JUDGES = {"pick": "game, s, w", "prior": "game, s, w, n", "value": "game, s, seat, w", "deal": "game, s, seat, w"}

for _name, _parameters in (REQUIRED | OPTIONAL | JUDGES).items():
    dispatch(_name, _parameters)


class Game(Protocol):
    """A game with its options, as code outside kernels sees it after registration."""

    STATE: Any
    MAX_MOVES: int
    SEATS: int
    LABELS: int
    FEATURES: int
    ACTIONS: int

    def start(self, s: Any, w: Any) -> None: ...
    def turn(self, s: Any) -> int: ...
    def moves(self, s: Any, w: Any) -> int: ...
    def play(self, s: Any, m: int) -> None: ...
    def over(self, s: Any) -> bool: ...
    def payoff(self, s: Any, seat: int) -> float: ...
    def random_move(self, s: Any, w: Any) -> int: ...
    def evaluate(self, s: Any, seat: int, w: Any) -> float: ...
    def redeal(self, s: Any, seat: int, w: Any) -> None: ...
    def key(self, s: Any) -> int: ...
    def label(self, s: Any, m: int) -> int: ...
    def features(self, s: Any, seat: int, out: Any) -> None: ...
    def action(self, s: Any, m: int) -> int: ...
    def move_text(self, s: Any, m: int) -> str: ...
    def read_move(self, s: Any, text: str) -> int | None: ...
    def position_text(self, s: Any, seat: int | None) -> str: ...
    def read_position(self, s: Any, text: str) -> None: ...
    def ending(self, s: Any) -> str: ...
    def summary(self, s: Any, seat: int | None) -> str: ...
    def terminal(self, s: Any, seat: int | None, last: int | None) -> Any: ...
    def pictures(self, s: Any, seat: int | None, last: int | None, flipped: bool) -> tuple[Any, ...]: ...
    def touches(self, s: Any, m: int) -> tuple[str, ...]: ...
    def grid(self, s: Any, seat: int | None) -> Any: ...
    def parts(self, s: Any, seat: int | None, history: Sequence[int], touched: tuple[str, ...], flip: bool) -> Picture: ...
    def svg(self, s: Any, seat: int | None, last: int | None) -> str: ...
    def touch_name(self, s: Any, seat: int | None, touch: str) -> str: ...
    def spoken(self, s: Any, seat: int | None) -> str: ...
    def spoken_move(self, s: Any, m: int) -> str: ...
    def feature_names(self) -> Sequence[tuple[str, Any, str]]: ...
    def symmetries(self) -> Sequence[tuple[Sequence[int], Sequence[int]]]: ...


_DEFAULTS = {name: getattr(defaults, name) for name in OPTIONAL} | {name: getattr(presentation, name) for name in PRESENTATION}


def offers(rules: Any, name: str) -> bool:
    """Does the game define this optional method itself? A class may derive from one that was completed with defaults."""
    return getattr(rules, name, _DEFAULTS[name]) is not _DEFAULTS[name]


def complete(rules: Any, *modules: Any) -> None:
    """Completes a game class: presentation from its modules, defaults for the rest; refuses one that breaks the contract."""
    for module in modules:
        for name in PRESENTATION:
            if hasattr(module, name):
                setattr(rules, name, getattr(module, name))
    fault = _fault(rules)
    if fault:
        raise InvalidGame(f"{getattr(rules, '__name__', rules)}: {fault}")
    if not getattr(rules, "FEATURES", 0):
        rules.FEATURES = property(total) if offers(rules, "feature_names") else 0
    for name, default in _DEFAULTS.items():
        if not hasattr(rules, name):
            setattr(rules, name, default)
    for name, value in {"SEATS": 2, "LABELS": 0, "ACTIONS": 0}.items():
        if not hasattr(rules, name):
            setattr(rules, name, value)


def _fault(rules: Any) -> str | None:
    """What is wrong with a game class, in a few words; None when nothing is."""
    if not (hasattr(rules, "_fields") and hasattr(rules, "_field_defaults")):
        return "a game is a class that derives from typing.NamedTuple"
    if not rules._fields:
        return "a named tuple without fields does not compile: give it at least one option"
    for name in rules._fields:
        if name not in rules._field_defaults:
            return f"option '{name}' has no default"
        if not isinstance(rules._field_defaults[name], (int, float, bool, tuple)):
            return f"option '{name}' must be a number (kernels read numbers only), not {rules._field_defaults[name]!r}"
        if name in REQUIRED | OPTIONAL | PRESENTATION:
            return f"option '{name}' has the name of a method of the contract"
    for name, parameters in REQUIRED.items():
        if not callable(getattr(rules, name, None)):
            return f"method {name}({parameters}) is missing"
    for name, parameters in (REQUIRED | OPTIONAL | PRESENTATION).items():
        method = getattr(rules, name, None)
        if method is not None:
            wanted = len(parameters.split()) + 1  # self too
            given = len(inspect.signature(method).parameters)
            if given != wanted:
                return f"method {name} takes {name}(self, {parameters}), {wanted} parameters, but has {given}"
    for name, needed in {"features": ("FEATURES", "feature_names"), "action": ("ACTIONS",)}.items():
        if offers(rules, name) and not any(_said(rules, other) for other in needed):
            return f"method {name} needs {' or '.join(needed)} beside it"
    return _size_fault(rules())


def _said(rules: Any, name: str) -> bool:
    """Does a game class say this, itself or by derivation, and not only by default?"""
    return offers(rules, name) if name in _DEFAULTS else bool(getattr(rules, name, 0))


def _size_fault(game: Any) -> str | None:
    for constant in ("STATE", "MAX_MOVES"):
        if not hasattr(game, constant):
            return f"constant {constant} is missing"
    if not isinstance(game.MAX_MOVES, int) or game.MAX_MOVES < 1:
        return f"MAX_MOVES must be a positive whole number, not {game.MAX_MOVES!r}"
    seats = getattr(game, "SEATS", 2)
    if not isinstance(seats, int) or not 1 <= seats <= 4:
        return f"SEATS must be 1 to 4, not {seats!r}"
    if not isinstance(game.STATE, type):
        try:
            np.dtype(game.STATE)
        except TypeError as error:
            return f"STATE is not a list of fields that NumPy takes ({error})"
        if np.dtype(game.STATE).names is None:
            return "STATE must have named fields"
    return None

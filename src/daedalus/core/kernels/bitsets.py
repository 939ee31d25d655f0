"""Sets of cells as tuples of 64-bit words, one to four of them: registers inside a kernel.

Cell i is bit i % 64 of word i // 64. A set has as many words as its board needs. Every operation is one expression for a
word, written out for the number of words at hand, so that a kernel has no loop, no memory and no word too many; the
interpreter runs the same expressions.

In a state or a workspace a set is a field of words: `cells_of(s, "reach")` takes it out, `set_cells` puts it back,
`cells_at` and `set_cells_at` do so with a row of a field that holds several; `holds`, `add` and `remove` ask or change one cell.

Black-Hole Escape keeps lines of at most 9 cells, which need no words. Quoridor keeps pairs of words of its own: with these
sets its rules were as fast or faster in floods (1.1 times), but slower in shortest paths (0.86) and draws of a wall (0.8).
Labyrinth floods and pushes word by word, 1.15 and 1.1 times as fast as with these sets, and has the rest from here.

A maze is two such sets: `across`, the cells from which one can go to the next one (number + 1) and back, and `down`, those
joined with the cell one row on (number + stride). What leads off the board is never open, so steps need no masks.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..compile import helper, overload
from .bits import ONE, ZERO, U, lowest, nth_bit, popcount

_MOST = 4  # words
_KNOWN = {"U": U, "ONE": ONE, "ZERO": ZERO, "LAST": U(63), "int64": np.int64, "lowest": lowest, "popcount": popcount}


def _written_out(parameters: str, body: Callable[[int], str], about: str) -> Any:
    """A function of a set, its first parameter, that evaluates `body(n)` for a set of n words."""
    versions = [None, *(eval(f"lambda {parameters}: {body(n)}", _KNOWN) for n in range(1, _MOST + 1))]
    first = parameters.partition(",")[0]
    scope: dict[str, Any] = {"versions": versions}
    exec(f"def run({parameters}): return versions[len({first})]({parameters})", scope)
    exec(f"def version({parameters}): return versions[len({first})]", scope)
    overload(scope["run"], scope["version"])
    scope["run"].__doc__ = about
    return scope["run"]


def _each(parameters: str, word: Callable[[int, int], str], about: str) -> Any:
    """A function whose result is a set: `word(i, n)` tells its word i of n."""
    return _written_out(parameters, lambda n: "".join(f"{word(i, n)}, " for i in range(n)).join("()"), about)


def _all(parameters: str, word: str, join: str, last: str, about: str) -> Any:
    """A function whose result is a number: what `word` says of each word, joined."""
    return _written_out(parameters, lambda n: join.join(word.format(i=i) for i in range(n)).join("()") + last, about)


def _shifts(by: str) -> tuple[str, str]:
    """By how much a word is shifted when cells move, and its neighbour, whose cells cross over."""
    return ("ONE", "LAST") if by == "1" else (f"U({by})", f"U(64 - {by})")


def _up(set_: str, by: str, i: int) -> str:
    """Word i of a set, an expression with {i}, whose cells move up in number."""
    near, far = _shifts(by)
    moved = f"(({set_.format(i=i)}) << {near})"
    return f"({moved} | (({set_.format(i=i - 1)}) >> {far}))" if i else moved


def _down(set_: str, by: str, i: int, n: int) -> str:
    """The same, down."""
    near, far = _shifts(by)
    moved = f"(({set_.format(i=i)}) >> {near})"
    return f"({moved} | (({set_.format(i=i + 1)}) << {far}))" if i + 1 < n else moved


def _step(x: str, by: str, joined: str, i: int, n: int) -> str:
    """Word i of the cells one step up and down in number from those of x."""
    return f"{_up(f'{x}[{{i}}] & {joined}[{{i}}]', by, i)} | ({_down(f'{x}[{{i}}]', by, i, n)} & {joined}[{i}])"


def _chosen(n: int, condition: str, value: Callable[[int], str]) -> str:
    """The value for the first word i < n - 1 that fulfils a condition, else for the last."""
    text = value(n - 1)
    for i in reversed(range(n - 1)):
        text = f"({value(i)} if {condition.format(i=i, next=64 * (i + 1))} else {text})"
    return text


both = _each("a, b", lambda i, n: f"a[{i}] & b[{i}]", "Cells of a that are in b too.")
either = _each("a, b", lambda i, n: f"a[{i}] | b[{i}]", "Cells of a or b.")
less = _each("a, b", lambda i, n: f"a[{i}] & ~b[{i}]", "Cells of a that are not in b.")
masked = _each(
    "a, word", lambda i, n: f"a[{i}] & word", "The cells of a whose bits are set in a word, the same for all words of a."
)
raised = _each("a, n", lambda i, n: _up("a[{i}]", "n", i), "Every cell n numbers higher, 0 < n < 64.")
lowered = _each("a, n", lambda i, n: _down("a[{i}]", "n", i, n), "Every cell n numbers lower, 0 < n < 64.")
empty = _each("a", lambda i, n: "ZERO", "The empty set with as many words as a.")
single = _each(
    "a, i",
    lambda i, n: "ONE << U(i)" if n == 1 else f"(ONE << U(i & 63) if i >> 6 == {i} else ZERO)",
    "The set of cell i alone, with as many words as a.",
)
count = _all("a", "popcount(a[{i}])", " + ", "", "How many cells.")
meet = _all("a, b", "a[{i}] & b[{i}]", " | ", " != ZERO", "Have a and b a cell in common?")
same = _all("a, b", "(a[{i}] ^ b[{i}])", " | ", " == ZERO", "Are a and b equal?")
is_empty = _all("a", "a[{i}]", " | ", " == ZERO", "Has a no cell?")
has = _written_out(
    "a, i",
    lambda n: f"int64(({_chosen(n, 'i < {next}', 'a[{}]'.format)} >> U(i & 63)) & ONE)",
    "1 if cell i is in a, else 0; selects instead of branches.",
)
first = _written_out(
    "a", lambda n: _chosen(n, "a[{i}] != ZERO", lambda i: f"{64 * i} + lowest(a[{i}])"), "The lowest cell of a."
)
spread = _each(
    "x, across, down, stride",
    lambda i, n: f"x[{i}] | {_step('x', '1', 'across', i, n)} | {_step('x', 'stride', 'down', i, n)}",
    "The cells of x and those one step away.",
)


@helper
def nth(a, k):
    """The k-th cell of a, counted from 0."""
    base = 0
    for word in a:
        inside = popcount(word)
        if k < inside:
            return base + nth_bit(word, k)
        k -= inside
        base += 64
    return base


@helper
def list_cells(a, w, n, times, plus):
    """Appends the moves `cell * times + plus` of all cells of a to w.buf[:n]; returns how many moves there are then."""
    for word in a:
        while word != ZERO:
            w.buf[n] = lowest(word) * times + plus
            n += 1
            word &= word - ONE
        plus += 64 * times
    return n


# --- sets in records --------------------------------------------------------------------------------------------------


def cells_of(t: Any, field: str) -> tuple[Any, ...]:
    """The set in a field of a record."""
    return tuple(t[field])


def cells_at(t: Any, field: str, k: int) -> tuple[Any, ...]:
    """The set in row k of a field."""
    return tuple(t[field][k])


def set_cells(t: Any, field: str, a: tuple[Any, ...]) -> None:
    """Puts a set into a field."""
    t[field][:] = a


def set_cells_at(t: Any, field: str, k: int, a: tuple[Any, ...]) -> None:
    """Puts a set into row k of a field."""
    t[field][k] = a


def holds(t: Any, field: str, i: int) -> bool:
    """Is cell i in the set of a field? Quicker than `has` of `cells_of`: one word is looked at."""
    return bool(t[field][i >> 6] >> U(i & 63) & ONE)


def add(t: Any, field: str, i: int) -> None:
    """Puts cell i into the set of a field."""
    t[field][i >> 6] |= ONE << U(i & 63)


def remove(t: Any, field: str, i: int) -> None:
    """Takes cell i out of the set of a field."""
    t[field][i >> 6] &= ~(ONE << U(i & 63))


def _in_field(function: Any, parameters: str, body: str, word: str = "") -> None:
    """Tells the compiler what `function` does: `body`, with {field} in it and {words}, `word` of every word {i}."""

    def version(t: Any, field: Any) -> Any:
        name = getattr(field, "literal_value", None)  # asked first without: the compiler then tries again with the text
        if name is None:
            return None
        words = "".join(word.format(field=name, i=i) for i in range(t.typeof(name).shape[-1]))
        scope = dict(_KNOWN)
        exec(f"def access({parameters}): " + body.format(field=name, words=words), scope)
        return scope["access"]

    scope: dict[str, Any] = {"version": version}
    exec(f"def choose({parameters}): return version(t, field)", scope)
    overload(function, scope["choose"])


_in_field(cells_of, "t, field", "return ({words})", "t.{field}[{i}],")
_in_field(cells_at, "t, field, k", "return ({words})", "t.{field}[k, {i}],")
_in_field(set_cells, "t, field, a", "{words}", "t.{field}[{i}] = a[{i}];")
_in_field(set_cells_at, "t, field, k, a", "{words}", "t.{field}[k, {i}] = a[{i}];")
_in_field(holds, "t, field, i", "return (t.{field}[i >> 6] >> U(i & 63)) & ONE != ZERO")
_in_field(add, "t, field, i", "t.{field}[i >> 6] |= ONE << U(i & 63)")
_in_field(remove, "t, field, i", "t.{field}[i >> 6] &= ~(ONE << U(i & 63))")

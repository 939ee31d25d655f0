"""Sets of cells as tuples of 64-bit words: ordinary Python when interpreted, registers inside a kernel.

Cell i is bit i % 64 of word i // 64. A set has as many words as the board needs (1 up to size 8, 2 up to 11, 3 for 12
and 13, 4 up to 16); every operation is written out word by word for the number of words at hand, so that a kernel has
no loop, no memory and no words that a smaller board does not need.
"""

from typing import Any

import numpy as np
from numba.extending import overload

from daedalus.core import ONE, ZERO, U, popcount

Cells = tuple[np.uint64, ...]


def both(a: Cells, b: Cells) -> Cells:
    """Cells of a that are in b too."""
    return tuple(x & y for x, y in zip(a, b, strict=True))


def either(a: Cells, b: Cells) -> Cells:
    """Cells of a or b."""
    return tuple(x | y for x, y in zip(a, b, strict=True))


def less(a: Cells, b: Cells) -> Cells:
    """Cells of a that are not in b."""
    return tuple(x & ~y for x, y in zip(a, b, strict=True))


def raised(a: Cells, n: int) -> Cells:
    """Every cell n numbers higher, 0 < n < 64."""
    return tuple((x << U(n)) | (a[i - 1] >> U(64 - n) if i else ZERO) for i, x in enumerate(a))


def lowered(a: Cells, n: int) -> Cells:
    """Every cell n numbers lower, 0 < n < 64."""
    return tuple((x >> U(n)) | (a[i + 1] << U(64 - n) if i + 1 < len(a) else ZERO) for i, x in enumerate(a))


def single(a: Cells, i: int) -> Cells:
    """The set of cell i alone, with as many words as a."""
    return tuple(ONE << U(i & 63) if i >> 6 == k else ZERO for k in range(len(a)))


def lows(a: Cells, n: int) -> Cells:
    """The set of cells 0..n-1, 0 < n < 64, with as many words as a."""
    return tuple((ONE << U(n)) - ONE if k == 0 else ZERO for k in range(len(a)))


def count(a: Cells) -> int:
    """How many cells."""
    return sum(popcount(x) for x in a)


def meet(a: Cells, b: Cells) -> bool:
    """Have a and b a cell in common?"""
    return any(x & y for x, y in zip(a, b, strict=True))


def same(a: Cells, b: Cells) -> bool:
    """Are a and b equal?"""
    return a == b


def right_open(s: Any) -> Cells:
    """The cells of a state whose right side is open."""
    return tuple(s.right)


def down_open(s: Any) -> Cells:
    """The cells of a state whose lower side is open."""
    return tuple(s.down)


_KNOWN = {"U": U, "ONE": ONE, "ZERO": ZERO, "popcount": popcount, "int64": np.int64}


def _written_out(function: Any, parameters: str, word: Any, join: str = "", last: str = "") -> None:
    """Tells the compiler what `function` does: `word(i, n)` for each word i of n, joined (a tuple without `join`)."""

    def implement(first: Any) -> Any:
        n = first.typeof("right").shape[0] if parameters == "s" else len(first)
        words = [f"({word(i, n)})" for i in range(n)]
        body = join.join(words) + last if join else f"({', '.join(words)},)"
        return eval(f"lambda {parameters}: {body}", _KNOWN)

    scope: dict[str, Any] = {"implement": implement}
    exec(f"def choose({parameters}): return implement({parameters.partition(',')[0]})", scope)
    overload(function, strict=False)(scope["choose"])


def _raised(i: int, n: int) -> str:
    return f"a[{i}] << U(n)" + (f" | a[{i - 1}] >> U(64 - n)" if i else "")


def _lowered(i: int, n: int) -> str:
    return f"a[{i}] >> U(n)" + (f" | a[{i + 1}] << U(64 - n)" if i + 1 < n else "")


def _single(i: int, n: int) -> str:
    return "ONE << U(i)" if n == 1 else f"ONE << U(i & 63) if i >> 6 == {i} else ZERO"


_written_out(both, "a, b", lambda i, n: f"a[{i}] & b[{i}]")
_written_out(either, "a, b", lambda i, n: f"a[{i}] | b[{i}]")
_written_out(less, "a, b", lambda i, n: f"a[{i}] & ~b[{i}]")
_written_out(raised, "a, n", _raised)
_written_out(lowered, "a, n", _lowered)
_written_out(single, "a, i", _single)
_written_out(lows, "a, n", lambda i, n: "ZERO" if i else "(ONE << U(n)) - ONE")
_written_out(count, "a", lambda i, n: f"popcount(a[{i}])", " + ")
_written_out(meet, "a, b", lambda i, n: f"a[{i}] & b[{i}]", " | ", " != ZERO")
_written_out(same, "a, b", lambda i, n: f"a[{i}] ^ b[{i}]", " | ", " == ZERO")
_written_out(right_open, "s", lambda i, n: f"s.right[{i}]")
_written_out(down_open, "s", lambda i, n: f"s.down[{i}]")

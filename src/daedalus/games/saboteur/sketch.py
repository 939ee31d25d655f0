"""What Saboteur's picture is made of: tiles of rock with their passages, stones, and the cards that are no tiles."""

from functools import lru_cache
from typing import Any

from daedalus.core.drawing import Drawing

from .kernels.tiles import CENTRE, ENTRANCE, SIDES, THROUGH

CELL = 48.0
LIT, DARK, ROCK, EARTH = "#ffd76a", "#d9c59b", "#7d6c58", "#241c15"
SEATS = ("#e0705a", "#62a4e8")
_ENDS = ((0.0, -0.5), (0.5, 0.0), (0.0, 0.5), (-0.5, 0.0))  # where the four sides are opened, around the middle


@lru_cache(maxsize=512)
def tile(laid: int, colour: str, size: float = CELL) -> str:
    """A slab of rock around 0, 0 with its passages; those of a dead end stop short of the rock in its middle."""
    drawing = Drawing(0, 0)
    half = size / 2
    place: dict[str, Any] = {"x": 1 - half, "y": 1 - half, "width": size - 2, "height": size - 2}
    drawing.add("rect", **place, rx=size / 9, fill=ROCK, stroke="#54473a")
    inward = 0.0 if CENTRE[laid] else 0.52
    path = "".join(
        f"M{x * (size - 2):g} {y * (size - 2):g}L{x * size * inward:g} {y * size * inward:g}"
        for d, (x, y) in enumerate(_ENDS)
        if SIDES[laid] >> d & 1
    )
    drawing.add("path", d=path, stroke=colour, stroke_width=size * 0.26, stroke_linejoin="round", fill="none")
    if THROUGH[laid]:
        drawing.add("circle", r=size * 0.13, fill=colour)
    else:
        _dead_end(bool(CENTRE[laid]), size, colour, drawing)
    if laid == ENTRANCE:
        _ladder(drawing)
    return drawing.markup


def _dead_end(hollow: bool, size: float, colour: str, drawing: Drawing) -> None:
    """A cross where a way ends: on the rock in the middle, or in the hollow that the only passage leads to."""
    fill, edge, ink = (colour, "#54473a", "#b8492b") if hollow else ("#4a3d31", "#2e251d", "#e08b6d")
    drawing.add("circle", r=size * 0.2, fill=fill, stroke=edge, stroke_width=1.5)
    a = size * 0.08
    cross = f"M{-a:g} {-a:g}L{a:g} {a:g}M{a:g} {-a:g}L{-a:g} {a:g}"
    drawing.add("path", d=cross, stroke=ink, stroke_width=size * 0.06, stroke_linecap="round")


def _ladder(drawing: Drawing) -> None:
    rails = "M-5 -14V14M5 -14V14" + "".join(f"M-5 {k}H5" for k in (-10, -4, 2, 8))
    look: dict[str, Any] = {"stroke": "#5a3b1c", "stroke_width": 3, "fill": "none", "stroke_linecap": "round"}
    drawing.add("path", d=rails, **look)


def stone(letter: str, r: float, drawing: Drawing) -> None:
    """A gold nugget or a grey stone around 0, 0."""
    shape = ((-1.0, 0.1), (-0.55, -0.75), (0.3, -0.9), (0.95, -0.25), (0.75, 0.7), (-0.35, 0.9))
    points = " ".join(f"{r * a:g},{r * b:g}" for a, b in shape)
    fill, edge = ("#ffc629", "#7a5200") if letter == "n" else ("#8d9196", "#2f3236")
    drawing.add("polygon", points=points, fill=fill, stroke=edge, stroke_width=2, stroke_linejoin="round")


def face_down(width: float, height: float, drawing: Drawing) -> None:
    """The back of a card around 0, 0."""
    place: dict[str, Any] = {"x": 2 - width / 2, "y": 2 - height / 2, "width": width - 4, "height": height - 4, "rx": 6}
    drawing.add("rect", **place, fill="#5b3f63", stroke="#c9a7d4", stroke_width=2)


_ICONS = {  # drawn in a square of 24 around 0, 0
    "map": '<path d="M-11 -8L-4 -11L4 -8L11 -11V8L4 11L-4 8L-11 11Z" fill="#f2e3bd" stroke="#3b2a1a" stroke-linejoin="round"/><path d="M-4 -11V8M4 -8V11" stroke="#3b2a1a" fill="none"/><path d="M5 -2l4 4m0 -4l-4 4" stroke="#b8492b" stroke-width="2" fill="none"/>',
    "malus": '<path d="M-7 11L4 -5" stroke="#8a5d2f" stroke-width="4" stroke-linecap="round"/><path d="M-4 -9Q6 -11 10 1" fill="none" stroke="#c9ccd1" stroke-width="4" stroke-linecap="round"/><path d="M-10 -10L10 10" stroke="#ff7a5c" stroke-width="3" stroke-linecap="round"/>',
    "bonus": '<path d="M-7 11L4 -5" stroke="#8a5d2f" stroke-width="4" stroke-linecap="round"/><path d="M-4 -9Q6 -11 10 1" fill="none" stroke="#c9ccd1" stroke-width="4" stroke-linecap="round"/><path d="M-8 -8v8m-4 -4h8" stroke="#8fe08a" stroke-width="3" stroke-linecap="round"/>',
    "destroy": '<circle cx="-1" cy="3" r="9" fill="#20242b" stroke="#9aa4b2"/><path d="M5 -5Q8 -11 12 -9" fill="none" stroke="#d9b36a" stroke-width="2"/><path d="M12 -13v3m4 1h-3m1 4l-2 -2" stroke="#ffcf40" stroke-width="2" stroke-linecap="round"/>',
}


@lru_cache(maxsize=16)
def action(name: str, width: float, height: float) -> str:
    """A card that is no tile: its sign over its name, around 0, 0."""
    drawing = Drawing(0, 0)
    place: dict[str, Any] = {"x": 1 - width / 2, "y": 1 - height / 2, "width": width - 2, "height": height - 2, "rx": 6}
    drawing.add("rect", **place, fill="#2c4c60", stroke="#9cc6dd")
    with drawing.group(transform="translate(0 -9)"):
        drawing.raw(_ICONS[name])
    drawing.write(name, 0, height / 2 - 13, 10.5 if len(name) > 5 else 13, "#ffffff", font_weight=600)
    return drawing.markup

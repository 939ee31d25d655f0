"""Our pictures as pixels, for films and logs of training: as much of SVG as the pictures of games use, drawn by Matplotlib.

Gradients become the mean of their colours. A curve that is not known is drawn straight.
"""

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt

_INHERITED = (
    "color", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "stroke-opacity",
    "fill-opacity", "font-size", "font-weight", "text-anchor", "visibility",
)  # fmt: skip
_PLAIN = {"color": "#000000", "fill": "#000000", "stroke": "none", "stroke-width": "1", "font-size": "16"}
_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
_NUMBERS = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "Q": 4, "S": 4, "C": 6, "A": 7, "Z": 0}  # of each command of a path
_ROUND = 0.5523  # of the radius: where the handles of a quarter circle lie


def rgb_array(svg: str) -> npt.NDArray[np.uint8]:
    """A picture as (height, width, 3) bytes."""
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.transforms import Affine2D

    root = ElementTree.fromstring(svg)
    width, height = (round(float(root.get(name, "1"))) for name in ("width", "height"))
    canvas = RendererAgg(width, height, 72)  # at 72 dots an inch a point is a pixel
    upright = Affine2D().scale(1, -1).translate(0, height)
    colours = {name: colour for node in root.iter() if (name := node.get("id")) and (colour := _mean_colour(node))}
    _Painter(canvas, colours).paint(root, _PLAIN, 1.0, upright)
    pixels = np.asarray(canvas.buffer_rgba()).astype(np.float32)
    covered = pixels[..., 3:] / 255
    return np.rint(pixels[..., :3] * covered + 255 * (1 - covered)).astype(np.uint8)


def _tag(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2]


def _mean_colour(node: ElementTree.Element) -> tuple[float, ...] | None:
    """The mean of a gradient's colours, as far apart as they are; None for anything else."""
    from matplotlib.colors import to_rgba

    stops = [stop for stop in node if _tag(stop) == "stop"]
    if not stops:
        return None
    places = [float(stop.get("offset", "0")) for stop in stops]
    colours = [to_rgba(stop.get("stop-color", "black"), float(stop.get("stop-opacity", "1"))) for stop in stops]
    line = np.linspace(0, 1, 33)
    return tuple(float(np.interp(line, places, channel).mean()) for channel in zip(*colours, strict=True))


class _Painter:
    """Draws elements on a canvas; `colours` are the means of the gradients, by name."""

    def __init__(self, canvas: Any, colours: dict[str, tuple[float, ...]]) -> None:
        self._canvas = canvas
        self._colours = colours

    def paint(self, node: ElementTree.Element, style: dict[str, str], opacity: float, place: Any) -> None:
        """An element and all within it, in the style of those around it."""
        if _tag(node) == "defs":
            return
        style = style | {name: value for name in _INHERITED if (value := node.get(name)) is not None}
        opacity *= float(node.get("opacity", "1"))
        place = _own_transform(node) + place
        path = None if style.get("visibility") == "hidden" else _outline(node, style)
        if path is not None:
            self._fill(path, style, opacity, place)
            self._stroke(path, style, opacity, place)
        for child in node:
            self.paint(child, style, opacity, place)

    def _colour(self, text: str, style: dict[str, str], opacity: float) -> tuple[float, ...] | None:
        from matplotlib.colors import to_rgba

        if text == "none":
            return None
        if text.startswith("url(#"):
            colour = self._colours.get(text[5:-1], (0.5, 0.5, 0.5, 1.0))
        else:
            colour = to_rgba(style["color"] if text == "currentColor" else text)
        return (*colour[:3], colour[3] * opacity)

    def _fill(self, path: Any, style: dict[str, str], opacity: float, place: Any) -> None:
        colour = self._colour(style["fill"], style, opacity * float(style.get("fill-opacity", "1")))
        if colour is not None:
            pen = self._canvas.new_gc()
            pen.set_linewidth(0)
            self._canvas.draw_path(pen, path, place, colour)

    def _stroke(self, path: Any, style: dict[str, str], opacity: float, place: Any) -> None:
        colour = self._colour(style["stroke"], style, opacity * float(style.get("stroke-opacity", "1")))
        if colour is None:
            return
        scale = abs(np.linalg.det(place.get_matrix()[:2, :2])) ** 0.5
        pen = self._canvas.new_gc()
        pen.set_foreground(colour, isRGBA=True)
        pen.set_linewidth(float(style["stroke-width"]) * scale)
        pen.set_capstyle("round" if style.get("stroke-linecap") == "round" else "butt")
        pen.set_joinstyle("round" if style.get("stroke-linejoin") == "round" else "miter")
        if "stroke-dasharray" in style:
            pen.set_dashes(0, [float(length) * scale for length in _TOKEN.findall(style["stroke-dasharray"])])
        self._canvas.draw_path(pen, path, place, None)


def _own_transform(node: ElementTree.Element) -> Any:
    """What an element does to all within it: its transform, or a picture within a picture."""
    from matplotlib.transforms import Affine2D

    made = Affine2D()
    for name, numbers in reversed(re.findall(r"(\w+)\(([^)]*)\)", node.get("transform", ""))):
        values = [float(number) for number in _TOKEN.findall(numbers)]
        if name == "translate":
            made.translate(values[0], values[1] if len(values) > 1 else 0.0)
        elif name == "scale":
            made.scale(values[0], values[-1])
        elif name == "rotate":
            x, y = values[1:] or (0.0, 0.0)
            made.rotate_deg_around(x, y, values[0])
    if _tag(node) == "svg" and node.get("viewBox"):
        left, top, width, height = (float(number) for number in _TOKEN.findall(node.get("viewBox", "")))
        made.translate(-left, -top)
        made.scale(float(node.get("width", width)) / width, float(node.get("height", height)) / height)
        made.translate(float(node.get("x", "0")), float(node.get("y", "0")))
    return made


def _outline(node: ElementTree.Element, style: dict[str, str]) -> Any:
    """The path of an element that is drawn, None for others."""
    from matplotlib.path import Path

    tag = _tag(node)
    if tag == "text":
        return _letters(node, style)
    commands = {
        "rect": _rectangle,
        "circle": _ellipse,
        "ellipse": _ellipse,
        "line": _line,
        "polygon": _polygon,
        "polyline": _polygon,
        "path": lambda node: _commands(node.get("d", "")),
    }.get(tag)
    steps = list(commands(node)) if commands else []
    if not steps:
        return None
    codes = {"M": Path.MOVETO, "L": Path.LINETO, "Q": Path.CURVE3, "C": Path.CURVE4, "Z": Path.CLOSEPOLY}
    points = [point for _, along in steps for point in along]
    return Path(points, [codes[command] for command, along in steps for _ in along])


Step = tuple[str, list[tuple[float, float]]]


def _numbers(node: ElementTree.Element, *names: str) -> list[float]:
    return [float(node.get(name, "0")) for name in names]


def _rectangle(node: ElementTree.Element) -> Iterator[Step]:
    x, y, width, height = _numbers(node, "x", "y", "width", "height")
    rx = min(float(node.get("rx", node.get("ry", "0"))), width / 2)
    ry = min(float(node.get("ry", node.get("rx", "0"))), height / 2)
    right, bottom = x + width, y + height
    yield "M", [(x + rx, y)]
    for corner, before, after in (
        ((right, y), (right - rx, y), (right, y + ry)),
        ((right, bottom), (right, bottom - ry), (right - rx, bottom)),
        ((x, bottom), (x + rx, bottom), (x, bottom - ry)),
        ((x, y), (x, y + ry), (x + rx, y)),
    ):
        yield "L", [before]
        if rx or ry:
            yield "Q", [corner, after]
    yield "Z", [(x + rx, y)]


def _ellipse(node: ElementTree.Element) -> Iterator[Step]:
    x, y = _numbers(node, "cx", "cy")
    rx, ry = float(node.get("rx", node.get("r", "0"))), float(node.get("ry", node.get("r", "0")))
    if not (rx and ry):
        return
    yield "M", [(x + rx, y)]
    a, b = 1.0, 0.0  # where a quarter begins
    for _ in range(4):
        c, d = -b, a
        handles = (a + _ROUND * c, b + _ROUND * d), (c + _ROUND * a, d + _ROUND * b), (c, d)
        yield "C", [(x + rx * p, y + ry * q) for p, q in handles]
        a, b = c, d
    yield "Z", [(x + rx, y)]


def _line(node: ElementTree.Element) -> Iterator[Step]:
    x1, y1, x2, y2 = _numbers(node, "x1", "y1", "x2", "y2")
    yield "M", [(x1, y1)]
    yield "L", [(x2, y2)]


def _polygon(node: ElementTree.Element) -> Iterator[Step]:
    numbers = [float(number) for number in _TOKEN.findall(node.get("points", ""))]
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    for place, point in enumerate(points):
        yield "L" if place else "M", [point]
    if points and _tag(node) == "polygon":
        yield "Z", [points[0]]


def _commands(d: str) -> Iterator[Step]:
    """The steps of a path's description, all from the upper left corner."""
    tokens = _TOKEN.findall(d)
    x = y = begin_x = begin_y = 0.0
    command = "M"
    at = 0
    while at < len(tokens):
        if tokens[at].isalpha():
            command = tokens[at]
            at += 1
        kind = command.upper()
        values = [float(token) for token in tokens[at : at + _NUMBERS[kind]]]
        at += len(values)
        from_x, from_y = (x, y) if command.islower() else (0.0, 0.0)
        if kind == "Z":
            x, y = begin_x, begin_y
            yield "Z", [(x, y)]
            continue
        if kind == "H":
            x = from_x + values[0]
        elif kind == "V":
            y = from_y + values[0]
        else:
            x, y = from_x + values[-2], from_y + values[-1]
        if kind in "QC":
            yield kind, [(from_x + p, from_y + q) for p, q in zip(values[::2], values[1::2], strict=True)]
        else:
            yield "M" if kind == "M" else "L", [(x, y)]
        if kind == "M":
            begin_x, begin_y = x, y
            command = "l" if command == "m" else "L"  # further pairs of numbers are lines


def _letters(node: ElementTree.Element, style: dict[str, str]) -> Any:
    """The outline of a line of text."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath
    from matplotlib.transforms import Affine2D

    text = "".join(node.itertext()).strip()
    if not text:
        return None
    weight = style.get("font-weight", "normal")
    bold = weight == "bold" or (weight.isdigit() and int(weight) >= 600)
    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")  # Matplotlib brings it along
    letters = TextPath((0, 0), text.replace("$", r"\$"), size=float(style["font-size"]), prop=font)
    x, y = _numbers(node, "x", "y")
    share = {"middle": 0.5, "end": 1.0}.get(style.get("text-anchor", ""), 0.0)
    width = letters.get_extents().x1 if len(letters.vertices) else 0.0
    return Affine2D().scale(1, -1).translate(x - share * width, y).transform_path(letters)

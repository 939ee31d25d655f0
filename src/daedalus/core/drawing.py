"""Pictures: a small SVG pen, the grid a board lies on, and a picture's parts put together.

Shapes are added with keyword attributes (`stroke_width=2` becomes stroke-width). What a page needs to find in a picture:

    data-touch    can be touched; `aria-label` is its spoken name
    data-piece    moves: a group placed by `transform`, whose name stays the same from one picture to the next
    class="ghost" what a touch would place, hidden until the page shows it
    class="last"  the mark of the last move

Nothing is styled by `style`, so that a page may forbid it; letters and lines outside a board are `currentColor`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from .printable import visible

FONT = "system-ui, sans-serif"
PAPER, INK = "#f7f1e4", "#33291f"  # around the parts of a picture in a file


class Part(NamedTuple):
    """What lies beside a board: a stock, a hand, goals; of one seat, or of the table (None). `label` says it in words."""

    name: str
    seat: int | None
    svg: str
    label: str


class Picture(NamedTuple):
    """A board alone, with its coordinates, and what lies beside it, from the top of the board down."""

    board: str
    beside: tuple[Part, ...] = ()


class Drawing:
    """An SVG picture under construction; `str()` gives the document, with those of the definitions that it uses.

    `origin` is the upper left corner of what is seen: pieces of a board that is seen in part keep their places.
    """

    def __init__(
        self,
        width: float,
        height: float,
        definitions: Mapping[str, str] | None = None,
        origin: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self.width, self.height, self.origin = width, height, origin
        self._definitions = definitions or {}
        self._parts: list[str] = []

    def add(self, tag: str, content: str = "", **attributes: Any) -> None:
        """One element; `content` is plain text and is escaped; attributes that are None are left out."""
        self._parts.append(element(tag, content, **attributes))

    @contextmanager
    def group(self, **attributes: Any) -> Iterator[None]:
        """What is added inside the block shares these attributes."""
        self._parts.append(f"<g{_written(attributes)}>")
        yield
        self._parts.append("</g>")

    def touch(self, touch: str | None, name: str, **attributes: Any) -> Any:
        """A group that can be touched, with its spoken name; None is a group that is only named."""
        return self.group(data_touch=touch, aria_label=name, **attributes)

    def piece(self, name: str | None, x: float, y: float, turn: int = 0, **attributes: Any) -> Any:
        """A group that is drawn around 0, 0 and placed (and turned, in degrees) as a whole: a page can move it."""
        return self.group(data_piece=name, transform=placed(x, y, turn), **attributes)

    def ghost(self, **attributes: Any) -> Any:
        """A group that is hidden until a page shows it."""
        return self.group(class_="ghost", visibility="hidden", pointer_events="none", **attributes)

    def hit(self, x: float, y: float, width: float, height: float) -> None:
        """An unseen rectangle that can be touched."""
        self.add("rect", x=x, y=y, width=width, height=height, fill="none", pointer_events="all")

    def write(self, text: str, x: float, y: float, size: float, fill: str = "currentColor", **more: Any) -> None:
        """A line of text, centred on x unless `text_anchor` says otherwise."""
        self.add("text", visible(text), **{"x": x, "y": y, "font_size": size, "fill": fill, "text_anchor": "middle"} | more)

    def raw(self, markup: str) -> None:
        """Markup as it is: another drawing's, or what was drawn before."""
        self._parts.append(markup)

    @property
    def markup(self) -> str:
        """All that was added so far, without the document around it."""
        return "".join(self._parts)

    def __str__(self) -> str:
        body = self.markup
        used = {name: self._definitions[name] for name in _REFERENCE.findall(body) if name in self._definitions}
        definitions = f"<defs>{''.join(used.values())}</defs>" if used else ""
        left, top, width, height = map(_number, (*self.origin, self.width, self.height))
        size = f'viewBox="{left} {top} {width} {height}" width="{width}" height="{height}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">{definitions}{body}</svg>'


_REFERENCE = re.compile(r"url\(#([\w-]+)\)")


def element(tag: str, content: str = "", **attributes: Any) -> str:
    """One element as markup."""
    head = f"<{tag}{_written(attributes)}"
    return f"{head}>{escape(content)}</{tag}>" if content else f"{head}/>"


def placed(x: float, y: float, turn: int = 0) -> str:
    """The transform that puts something drawn around 0, 0 in its place."""
    return f"translate({_number(x)} {_number(y)})" + (f" rotate({turn})" if turn else "")


def _written(attributes: dict[str, Any]) -> str:
    return "".join([f'{_opened(name)}{_number(value)}"' for name, value in attributes.items() if value is not None])


@lru_cache(maxsize=256)
def _opened(name: str) -> str:
    return f' {name.rstrip("_").replace("_", "-")}="'


_NEEDS_ESCAPE = re.compile("[&<>\"']")


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, int):
        return str(value)
    text = visible(str(value))  # no SVG takes control characters
    return escape(text) if _NEEDS_ESCAPE.search(text) else text


# --- the grid that a board lies on ----------------------------------------------------------------------------------


class Grid:
    """Where rows and columns, counted from the upper left, are in a picture: the one place that knows of flipped boards.

    Lengths inside the board are given from its own corner; flipped, it is seen from the other side, with letters upright.
    """

    def __init__(
        self, rows: int, columns: int, tile: float, left: float, top: float, gap: float = 0, flip: bool = False
    ) -> None:
        self.rows, self.columns, self.tile, self.left, self.top, self.gap, self.flip = rows, columns, tile, left, top, gap, flip
        self.pitch = tile + gap
        self.width, self.height = columns * self.pitch - gap, rows * self.pitch - gap

    def box(self, x: float, y: float, width: float, height: float) -> tuple[float, float]:
        """The upper left corner of a rectangle inside the board."""
        if self.flip:
            x, y = self.width - x - width, self.height - y - height
        return self.left + x, self.top + y

    def corner(self, row: float, column: float) -> tuple[float, float]:
        """The upper left corner of a cell."""
        return self.box(column * self.pitch, row * self.pitch, self.tile, self.tile)

    def middle(self, row: float, column: float) -> tuple[float, float]:
        """The middle of a cell."""
        x, y = self.corner(row, column)
        return x + self.tile / 2, y + self.tile / 2

    @property
    def turn(self) -> int:
        """How far what has a direction is turned, in degrees."""
        return 180 if self.flip else 0

    def coordinates(
        self, drawing: Drawing, across: Sequence[str], down: Sequence[str], y: float, x: float, size: float = 16
    ) -> None:
        """The names of columns at height y, those of rows at x, whichever way the board is seen."""
        with drawing.group(pointer_events="none", fill="currentColor", font_size=size, text_anchor="middle", class_="names"):
            for column, name in enumerate(across):
                if name:
                    drawing.add("text", name, x=self.middle(0, column)[0], y=y)
            for row, name in enumerate(down):
                if name:
                    drawing.add("text", name, x=x, y=self.middle(row, 0)[1] + size * 0.36)


# --- pictures in files and notebooks --------------------------------------------------------------------------------

_MARGIN, _SPACE, _HEAD = 16.0, 22.0, 46.0  # around the parts, between board and parts, above a part for its title


def composed(picture: Picture, names: Sequence[str], turn: int | None) -> str:
    """The parts of a picture on one sheet: the board, and beside it each part under its seat's name and its label."""
    width, height = size_of(picture.board)
    sizes = [size_of(part.svg) for part in picture.beside]
    titles = [_title(part, names) for part in picture.beside]
    room = max([8.6 * max(len(part.label), len(title)) for part, title in zip(picture.beside, titles, strict=True)] + [0.0])
    beside = max([part_width for part_width, _ in sizes] + [min(room, 230.0)]) if sizes else 0.0
    used = sum(_HEAD + part_height for _, part_height in sizes)
    inner = max(height, used + 18 * (len(sizes) - 1))
    drawing = Drawing(2 * _MARGIN + width + (_SPACE + beside if sizes else 0), 2 * _MARGIN + inner)
    drawing.add("rect", width=drawing.width, height=drawing.height, rx=14, fill=PAPER)
    drawing.raw(_put(picture.board, _MARGIN, _MARGIN + (inner - height) / 2))
    gap = (inner - used) / (len(sizes) - 1) if len(sizes) > 1 else 0.0
    x, y = _MARGIN + width + _SPACE, _MARGIN
    for part, title, (_, part_height) in zip(picture.beside, titles, sizes, strict=True):
        drawing.write(title, x, y + 17, 17, font_weight=600, text_anchor="start")
        if part.seat is not None and part.seat == turn:
            drawing.add("circle", cx=x + beside - 6, cy=y + 11, r=5, fill="#e0a83c", stroke="#8a5d12", aria_label="to move")
        drawing.write(part.label, x, y + 36, 13, text_anchor="start", fill_opacity=0.8)
        drawing.raw(_put(part.svg, x, y + _HEAD))
        y += _HEAD + part_height + gap
    return str(drawing).replace("<svg ", f'<svg color="{INK}" ', 1)


def _title(part: Part, names: Sequence[str]) -> str:
    return part.name if part.seat is None else names[part.seat]


def _put(svg: str, x: float, y: float) -> str:
    """A document as a part of another, at a place."""
    return svg.replace("<svg ", f'<svg x="{_number(x)}" y="{_number(y)}" ', 1)


def size_of(svg: str) -> tuple[float, float]:
    """Width and height that a document gives itself, of its viewBox if it does not say."""
    head = svg[: svg.find(">") + 1]
    sides = [re.search(rf'\b{side}="([\d.]+)(?:px)?"', head) for side in ("width", "height")]
    if all(sides):
        width, height = (float(side[1]) for side in sides if side)
        return width, height
    box = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', head)
    return (float(box[1]), float(box[2])) if box else (400.0, 400.0)


def text_as_svg(text: str, size: int = 16) -> str:
    """Lines of text in a monospaced picture."""
    lines = [visible(line) for line in text.split("\n")]  # no SVG takes control characters
    drawing = Drawing(20 + 0.62 * size * max(map(len, lines)), 20 + 1.3 * size * len(lines))
    with drawing.group(font_family="monospace", font_size=size, fill="currentColor"):
        for row, line in enumerate(lines):
            drawing.add("text", line.replace(" ", "\u00a0"), x=10, y=10 + 1.3 * size * (row + 0.8))
    return str(drawing)

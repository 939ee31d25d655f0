"""A small SVG pen: shapes are added with keyword attributes (`stroke_width=2` becomes stroke-width)."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from .printable import visible


class Drawing:
    """An SVG picture under construction; `str()` gives the document."""

    def __init__(self, width: float, height: float, background: str = "") -> None:
        self.width, self.height = width, height
        self._parts: list[str] = []
        if background:
            self.add("rect", width=width, height=height, fill=background)

    def add(self, tag: str, content: str = "", **attributes: Any) -> None:
        """One element; `content` is plain text and is escaped; attributes that are None are left out."""
        head = f"<{tag}{_written(attributes)}"
        self._parts.append(f"{head}>{escape(content)}</{tag}>" if content else f"{head}/>")

    @contextmanager
    def group(self, **attributes: Any) -> Iterator[None]:
        """What is added inside the block shares these attributes."""
        self._parts.append(f"<g{_written(attributes)}>")
        yield
        self._parts.append("</g>")

    def raw(self, markup: str) -> None:
        """Markup as it is, for definitions."""
        self._parts.append(markup)

    def __str__(self) -> str:
        width, height = _number(self.width), _number(self.height)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        return head + "".join(self._parts) + "</svg>"


def _written(attributes: dict[str, Any]) -> str:
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(_number(value))}"'
        for name, value in attributes.items()
        if value is not None
    )


def _number(value: Any) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text_as_svg(text: str, size: int = 16) -> str:
    """Lines of text in a monospaced picture."""
    lines = [visible(line) for line in text.split("\n")]  # no SVG takes control characters
    drawing = Drawing(20 + 0.62 * size * max(map(len, lines)), 20 + 1.3 * size * len(lines), background="#ffffff")
    for row, line in enumerate(lines):
        drawing.add(
            "text", line.replace(" ", "\u00a0"), x=10, y=10 + 1.3 * size * (row + 0.8), font_family="monospace", font_size=size
        )
    return str(drawing)

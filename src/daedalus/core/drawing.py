"""A small SVG pen: shapes are added with keyword attributes (`stroke_width=2` becomes stroke-width)."""

from html import escape
from typing import Any


class Drawing:
    """An SVG picture under construction; `str()` gives the document."""

    def __init__(self, width: float, height: float, background: str = "") -> None:
        self.width, self.height = width, height
        self._parts: list[str] = []
        if background:
            self.add("rect", width=width, height=height, fill=background)

    def add(self, tag: str, content: str = "", **attributes: Any) -> None:
        """One element; `content` is plain text and is escaped; attributes that are None are left out."""
        written = "".join(
            f' {name.rstrip("_").replace("_", "-")}="{escape(_number(value))}"'
            for name, value in attributes.items()
            if value is not None
        )
        self._parts.append(f"<{tag}{written}>{escape(content)}</{tag}>" if content else f"<{tag}{written}/>")

    def raw(self, markup: str) -> None:
        """Markup as it is, for definitions and groups."""
        self._parts.append(markup)

    def __str__(self) -> str:
        width, height = _number(self.width), _number(self.height)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        return head + "".join(self._parts) + "</svg>"


def _number(value: Any) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text_as_svg(text: str, size: int = 16) -> str:
    """Lines of text in a monospaced picture."""
    lines = text.split("\n")
    drawing = Drawing(20 + 0.62 * size * max(map(len, lines)), 20 + 1.3 * size * len(lines), background="#ffffff")
    for row, line in enumerate(lines):
        drawing.add(
            "text", line.replace(" ", "\u00a0"), x=10, y=10 + 1.3 * size * (row + 0.8), font_family="monospace", font_size=size
        )
    return str(drawing)

"""Writing a report: Markdown, one HTML page that needs nothing else, CSV. Nothing in a text is taken for markup."""

import csv
import io
import re
from functools import cache
from pathlib import Path
from typing import Any

from daedalus.core.files import replacing

from . import Block, Commands, Figure, Heading, Paragraph, Report, Table

_WHITE = '<rect width="100%" height="100%" fill="white"/>'


def write(report: Report, folder: str | Path) -> list[Path]:
    """Writes Markdown, HTML, a CSV file for each table and an SVG file for each picture; returns their paths."""
    texts = {".md": markdown(report), ".html": page(report)}
    texts |= {f"-{table.name}.csv": csv_of(table) for table in report.tables}
    texts |= {f"-{figure.name}.svg": _svg_file(figure) for figure in report.figures}
    return [_write(Path(folder) / f"{report.name}{end}", text) for end, text in texts.items()]


def write_page(report: Report, path: str | Path) -> None:
    """Writes the page to a file, whole or not at all."""
    _write(Path(path), page(report))


def _write(path: Path, text: str) -> Path:
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="")
    return path


def page(report: Report) -> str:
    """The report as the text of an HTML file."""
    text: str = _template().render(report=report)
    return text


@cache
def _template() -> Any:
    from jinja2 import Environment, PackageLoader

    loader = PackageLoader(__package__, ".")
    return Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True).get_template("page.html")


def markdown(report: Report) -> str:
    """The report as Markdown."""
    facts = "\n".join(f"- {_plain(name)}: {_plain(value)}" for name, value in report.facts.items())
    blocks = [_markdown(block, report.name) for block in report.blocks]
    parts = [f"# {_plain(report.title)}", *blocks, *(["## How it was done", facts] if facts else [])]
    return "\n\n".join(parts) + "\n"


def _markdown(block: Block, name: str) -> str:
    if isinstance(block, Heading):
        return f"## {_plain(block.text)}"
    if isinstance(block, Paragraph):
        return _plain(block.text)
    if isinstance(block, Figure):
        return f"![{_plain(block.title)}]({name}-{block.name}.svg)"
    if isinstance(block, Commands):
        commands = "\n".join(f"{command}  # {label}" for label, command in block.lines)
        fence = "`" * max([2, *map(len, re.findall("`+", commands))]) + "`"
        return f"<details><summary>{_plain(block.title)}</summary>\n\n{fence}sh\n{commands}\n{fence}\n\n</details>"
    rows = [block.head, ["--:" if column == "number" else ":--" for column in block.columns], *block.shown]
    lines = ["| " + " | ".join(_plain(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([f"**{_plain(block.title)}**", "", *lines, *(["", _plain(block.remark)] if block.remark else [])])


def _plain(text: str) -> str:
    """A text in which no HTML tag begins."""
    return re.sub(r"<(?=[A-Za-z/!?])", r"\<", text)


def _svg_file(figure: Figure) -> str:
    """A picture as a file of its own: dark on white, since it has no page to take its colours from."""
    svg = re.sub("(<svg[^>]*>)", rf"\1{_WHITE}", figure.svg, count=1)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg.replace("currentColor", "#1b1f24") + "\n"


def csv_of(table: Table) -> str:
    """A table as CSV, with every digit there is."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(table.headers)
    rows.writerows(table.rows)
    return text.getvalue()

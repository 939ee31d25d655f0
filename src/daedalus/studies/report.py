"""A report of headings, paragraphs, tables, pictures and commands: Markdown, one HTML page that needs nothing else, CSV."""

import csv
import io
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from daedalus.core.files import replacing

Progress = Callable[[str, int, int], None]  # what is under way, how much of it is done, of how much
Cell = str | int | float | None
Row = Sequence[Cell]

_LARGE, _SMALL = 1e7, 1e-3  # numbers beyond these are written with a power of ten
_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --faint: #66707b; --line: #d9dee3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7ea; --paper: #14171a; --faint: #9aa4ae; --line: #343b42; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.2rem; color: var(--ink); background: var(--paper);
       font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .4rem; }
p, dd { overflow-wrap: anywhere; margin: .5rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .95rem; font-variant-numeric: tabular-nums; margin: .8rem 0; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
th, td { padding: .3rem 1rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--faint); font-weight: 500; }
.number { text-align: right; white-space: nowrap; }
td.text { white-space: nowrap; }
td.long { min-width: 16rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1.2rem; font-size: .95rem; }
dt { color: var(--faint); margin: .5rem 0; }
figure { margin: 1rem 0; max-width: 44rem; overflow-x: auto; }
figure svg { display: block; width: 100%; min-width: 30rem; height: auto; }
figcaption, summary, i { color: var(--faint); font-size: .9rem; font-style: normal; }
details { margin: .6rem 0; } summary { cursor: pointer; }
pre { overflow-x: auto; font-size: .82rem; line-height: 1.5; }
@media (max-width: 30rem) { body { padding: .8rem; } table { font-size: .85rem; } th, td { padding-right: .6rem; } }
"""
_WORDY = 40  # characters; a column with longer texts needs room to wrap


def silent(what: str, done: int, total: int) -> None:
    """The progress of those who do not look on."""


@dataclass(frozen=True)
class Heading:
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Table:
    """Rows under headers; numbers that are not whole show so many digits. `name` is that of the CSV file, which has all.

    `display` is what people see instead, where that should be arranged otherwise: headers and rows of texts.
    """

    name: str
    title: str
    headers: Sequence[str]
    rows: Sequence[Row]
    digits: int = 5
    display: tuple[Sequence[str], Sequence[Sequence[str]]] | None = None

    @property
    def head(self) -> Sequence[str]:
        """The headers for people."""
        return self.display[0] if self.display else self.headers

    @property
    def shown(self) -> list[list[str]]:
        """The rows for people."""
        if self.display:
            return [list(row) for row in self.display[1]]
        return [[shown(cell, self.digits) for cell in row] for row in self.rows]


@dataclass(frozen=True)
class Figure:
    """A picture as SVG in the colour of the page's text; `name` is that of its file."""

    name: str
    title: str
    svg: str


@dataclass(frozen=True)
class Commands:
    """What to type to do a part again, folded away under a title: pairs of a label and a command."""

    title: str
    lines: Sequence[tuple[str, str]]


Block = Heading | Paragraph | Table | Figure | Commands


@dataclass
class Report:
    """What a study found, in the order of reading; `facts` tell how, so that it can be done again."""

    name: str
    title: str
    blocks: list[Block] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def tables(self) -> list[Table]:
        return [block for block in self.blocks if isinstance(block, Table)]

    def data(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        tables = {
            table.name: {"title": table.title, "headers": list(table.headers), "rows": [list(row) for row in table.rows]}
            for table in self.tables
        }
        words = [block.text for block in self.blocks if isinstance(block, Paragraph)]
        commands = dict(line for block in self.blocks if isinstance(block, Commands) for line in block.lines)
        told = {"study": self.name, "title": self.title, "facts": self.facts, "words": words, "tables": tables}
        return told | {"commands": commands}

    def write(self, folder: str | Path) -> list[Path]:
        """Writes Markdown, HTML, a CSV file for each table and an SVG file for each picture; returns their paths."""
        folder = Path(folder)
        texts = {f"{self.name}.md": markdown(self), f"{self.name}.html": page(self)}
        texts |= {f"{self.name}-{table.name}.csv": csv_of(table) for table in self.tables}
        texts |= {f"{self.name}-{block.name}.svg": _file(block) for block in self.blocks if isinstance(block, Figure)}
        for name, text in texts.items():
            with replacing(folder / name) as partial:
                partial.write_text(text, encoding="utf-8", newline="")
                partial.chmod(0o644)
        return [folder / name for name in texts]


def shown(cell: Cell, digits: int = 5) -> str:
    """A cell for people: whole numbers in full, others with so many digits."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    if cell == 0 or not math.isfinite(cell):
        return f"{cell:g}"
    if _SMALL <= abs(cell) < _LARGE:
        return f"{cell:,.{max(0, digits - 1 - math.floor(math.log10(abs(cell))))}f}"
    mantissa, _, exponent = f"{cell:.{digits - 1}e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def markdown(report: Report) -> str:
    """The report as Markdown."""
    facts = "\n".join(f"- {name}: {value}" for name, value in report.facts.items())
    blocks = [_markdown(block, report.name) for block in report.blocks]
    parts = [f"# {report.title}", *blocks, *(["## How it was done", facts] if facts else [])]
    return "\n\n".join(parts) + "\n"


def _markdown(block: Block, study: str) -> str:
    if isinstance(block, Heading):
        return f"## {block.text}"
    if isinstance(block, Paragraph):
        return block.text
    if isinstance(block, Figure):
        return f"![{block.title}]({study}-{block.name}.svg)"
    if isinstance(block, Commands):
        commands = "\n".join(f"{command}  # {label}" for label, command in block.lines)
        return f"<details><summary>{block.title}</summary>\n\n```sh\n{commands}\n```\n\n</details>"
    rows = [block.head, ["--:" if kind == "number" else ":--" for kind in _kinds(block)]]
    rows += block.shown
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([f"**{block.title}**", "", *lines])


def page(report: Report) -> str:
    """The report as the text of an HTML file."""
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>\n" for name, value in report.facts.items())
    parts = [f"<h1>{escape(report.title)}</h1>", *map(_html, report.blocks)]
    if facts:
        parts.append(f"<h2>How it was done</h2>\n<dl>\n{facts}</dl>")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(report.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h2>{escape(block.text)}</h2>"
    if isinstance(block, Paragraph):
        return f"<p>{escape(block.text)}</p>"
    if isinstance(block, Figure):
        return f"<figure>{block.svg}<figcaption>{escape(block.title)}</figcaption></figure>"
    if isinstance(block, Commands):
        lines = "\n".join(f"{escape(command)}  <i># {escape(label)}</i>" for label, command in block.lines)
        return f"<details><summary>{escape(block.title)}</summary><pre>{lines}</pre></details>"
    kinds = _kinds(block)
    head = _row("th", block.head, kinds)
    body = "\n".join(_row("td", row, kinds) for row in block.shown)
    caption = f"<caption>{escape(block.title)}</caption>"
    return f'<div class="wide"><table>\n{caption}\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _row(tag: str, cells: Sequence[str], kinds: Sequence[str]) -> str:
    return (
        "<tr>"
        + "".join(f'<{tag} class="{kind}">{escape(cell)}</{tag}>' for cell, kind in zip(cells, kinds, strict=True))
        + "</tr>"
    )


def _kinds(table: Table) -> list[str]:
    """How the columns are set: `number` on the right, `text`, and `long` for texts that want room."""
    rows = table.shown
    return [_kind([row[k] for row in rows]) for k in range(len(table.head))]


def _kind(cells: Sequence[str]) -> str:
    if max(map(len, cells), default=0) > _WORDY:
        return "long"
    return "text" if any(re.search("[a-df-zA-Z]", cell) for cell in cells) else "number"


def _file(figure: Figure) -> str:
    """A picture as a file of its own: dark on white, since it has no page to take its colours from."""
    white = '<rect width="100%" height="100%" fill="white"/>'
    svg = re.sub("(<svg[^>]*>)", rf"\1{white}", figure.svg, count=1)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg.replace("currentColor", "#1b1f24") + "\n"


def csv_of(table: Table) -> str:
    """A table as CSV, with every digit there is."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(table.headers)
    rows.writerows(table.rows)
    return text.getvalue()

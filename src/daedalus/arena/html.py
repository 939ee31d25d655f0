"""A report as one HTML file that needs nothing else: readable on a phone and on a desk, by day and by night."""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from daedalus.core.files import replacing

from .plots import length_svg, rating_svg
from .report import Report, Row, Table

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --faint: #66707b; --line: #d9dee3; --tint: #f4f6f8; --mark: #8a5a00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7ea; --paper: #14171a; --faint: #9aa4ae; --line: #343b42; --tint: #1c2126; --mark: #e0b050; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.2rem; color: var(--ink); background: var(--paper);
       font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .8rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
p { margin: .3rem 0; overflow-wrap: anywhere; }
.answer { font-weight: 600; }
.doubt { color: var(--mark); }
.remark { color: var(--faint); font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .95rem; }
th, td { padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--faint); font-weight: 500; }
td.number, th.number { text-align: right; white-space: nowrap; padding: .3rem .7rem; }
td.text { overflow-wrap: anywhere; min-width: 9rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; margin: 0; background: var(--tint);
     padding: .8rem 1rem; border-radius: .5rem; font-size: .95rem; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
svg { display: block; width: 100%; max-width: 34rem; height: auto; margin: .5rem 0; }
@media (max-width: 30rem) { body { padding: .8rem; } table { font-size: .85rem; } td.number, th.number { padding: .25rem .35rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
"""


def write_page(report: Report, path: str | Path) -> None:
    """Writes the report to a file, whole or not at all."""
    with replacing(Path(path)) as partial:
        partial.write_text(page(report), encoding="utf-8")


def page(report: Report) -> str:
    """The report as the text of an HTML file."""
    parts = [
        f"<h1>{escape(report.title)}</h1>",
        *(f'<p class="answer">{escape(line)}</p>' for line in report.headlines),
        *(f'<p class="doubt">{escape(line)}</p>' for line in report.warnings),
        *(_section(table, report) for table in report.tables),
        _facts(report),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(report.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _section(table: Table, report: Report) -> str:
    """A table under its title, followed by the picture that belongs to it."""
    picture = ""
    if table.title == "Ratings" and report.ratings:
        picture = rating_svg(report.ratings, report.reference)
    elif table.title.startswith("Length") and report.plies:
        picture = length_svg(report.plies)
    remark = f'<p class="remark">{escape(table.remark)}</p>' if table.remark else ""
    return f"<section>\n<h2>{escape(table.title)}</h2>\n{_table(table)}\n{remark}{picture}\n</section>"


def _table(table: Table) -> str:
    kinds = ["number" if _numeric(column) else "text" for column in zip(*table.rows, strict=True)]
    head = "".join(f'<th class="{kind}">{escape(name)}</th>' for kind, name in zip(kinds, table.headers, strict=True))
    rows = "\n".join(f"<tr>{_row(row, kinds)}</tr>" for row in table.rows)
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>'


def _row(row: Row, kinds: Iterable[str]) -> str:
    shown = [f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row]
    return "".join(f'<td class="{kind}">{escape(cell)}</td>' for kind, cell in zip(kinds, shown, strict=True))


def _numeric(column: Iterable[object]) -> bool:
    """Digits without words stand on the right, crosstables and intervals too."""
    return not any(letter.isalpha() for cell in column for letter in str(cell))


def _facts(report: Report) -> str:
    """What was asked, so that it can be asked again."""
    rows = "\n".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in report.facts.items() if value)
    return f"<section>\n<h2>How it was played</h2>\n<dl>\n{rows}\n</dl>\n</section>" if rows else ""

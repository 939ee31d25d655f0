"""The one model of a report and its writers: the same numbers in every form, and no text that is taken for markup."""

import csv
import io

from rich.console import Console

from daedalus.report import Commands, Figure, Heading, Paragraph, Report, Table, charts, shown
from daedalus.report.writers import csv_of, markdown, page, write
from daedalus.terminal.scoreboard import show_report
from daedalus.terminal.screen import Screen

SMALL = Report(
    "small",
    "A <small> one",
    [Heading("Part"), Paragraph("a & b"), Table("t", "T", ["a|b", "n"], [["x|y", 10**21], ["<", 1.5e30]], digits=3)],
    {"seed": "1"},
)


def test_numbers_are_shown_with_their_digits():
    assert [shown(cell) for cell in (None, 1234, 19.09749, 0.0134, 2.27757e27, 4e-9, 0.0)] == [
        "",
        "1,234",
        "19.097",
        "0.013400",
        "2.2776e27",
        "4.0000e-9",
        "0",
    ]


def test_a_report_is_markdown_html_and_csv_of_the_same_numbers():
    assert "| x\\|y | 1,000,000,000,000,000,000,000 |" in markdown(SMALL) and "## Part" in markdown(SMALL)
    html = page(SMALL)
    assert "A &lt;small&gt; one" in html and "a &amp; b" in html and ">1.50e30</td>" in html and "http" not in html
    assert list(csv.reader(csv_of(SMALL.tables[0]).splitlines())) == [
        ["a|b", "n"],
        ["x|y", "1" + "0" * 21],
        ["<", "1.5e+30"],
    ]


EVIL = "<script>alert(1)</script>\x1b[31m"


def in_terminal(report):
    screen = Screen(Console(file=io.StringIO(), width=120, highlight=False))
    show_report(screen, report)
    return screen.console.file.getvalue()


def hostile():
    table = Table(EVIL, EVIL, [EVIL], [[EVIL]], remark=EVIL)
    label = EVIL.partition("\x1b")[0]
    figure = Figure("f", EVIL, lambda: charts.dots([charts.Dot(label, None, 1.0)], label))
    blocks = [Heading(EVIL), Paragraph(EVIL, "answer"), Paragraph(EVIL, "warning"), table, Commands(EVIL, [(EVIL, EVIL)])]
    return Report("evil", EVIL, [*blocks, figure], {EVIL: EVIL}, EVIL)


def test_no_text_of_a_report_is_taken_for_markup_or_obeyed_by_a_terminal():
    html = page(hostile())
    assert "<script" not in html and html.count("&lt;script") > 12
    assert all(found.startswith("`") or "\\<script" in found for found in parts(markdown(hostile())))
    assert "\x1b" not in in_terminal(hostile())


def parts(text):
    """The parts of a Markdown text in which a tag begins, those in a block of code apart."""
    outside = "".join(text.split("```")[::2])
    return [line for line in outside.splitlines() if "<script" in line]


def test_a_command_cannot_end_the_block_of_code_that_shows_it():
    text = markdown(Report("r", "T", [Commands("again", [("label", "daedalus match ```\n<b>")])]))
    assert "````sh\n" in text and text.count("````") == 2


def test_a_terminal_shows_a_report_in_the_order_of_reading_and_a_brief_line_instead_of_all_facts():
    text = in_terminal(SMALL)
    assert [text.index(word) for word in ("A <small> one", "Part", "a & b", "x|y", "seed 1")] == sorted(
        text.index(word) for word in ("A <small> one", "Part", "a & b", "x|y", "seed 1")
    )
    brief = in_terminal(Report("r", "T", [Paragraph("doubt", "warning")], {"seed": "1", "games": "2"}, "seed 1"))
    assert "Beware: doubt" in brief and "games" not in brief


def test_a_picture_is_drawn_only_for_those_who_can_see_it(tmp_path):
    drawn = []
    report = Report("r", "T", [Figure("f", "F", lambda: drawn.append(1) or "<svg></svg>")])
    in_terminal(report)
    assert not drawn
    assert [path.name for path in write(report, tmp_path)] == ["r.md", "r.html", "r-f.svg"] and len(drawn) == 1

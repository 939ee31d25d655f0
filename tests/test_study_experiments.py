"""Studies that are data: their files, their numbers, their reports, and going on after an interruption."""

import csv
import json
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import daedalus.games
import daedalus.studies as studies_package
from daedalus import arena
from daedalus.agents import make_agent
from daedalus.core.registry import folder_of, game_names
from daedalus.report import Commands
from daedalus.report.writers import page, write
from daedalus.studies import StudyRequest, run_study, studies, study
from daedalus.studies.experiment import _differs
from daedalus.studies.measures import Sample, measure_of
from daedalus.studies.published import number, published
from daedalus.studies.spec import InvalidStudy, read_design

pytestmark = pytest.mark.long

LABYRINTH = folder_of("labyrinth")
MINE = """
title = "A small one"
game = "blackhole"
about = "two agents that have been seen before"
cost = "a second"
games = 6
quick = 2
published = "old.csv"
published_games = 20
words = ["Why not."]

[[section]]
name = "depths"
title = "Depths"
axis = "depth"
row = [
  { label = "one", a = "alphabeta:eval=h4,depth=1", x = 1, ships = 4, key = { who = "one" } },
  { label = "two", a = "alphabeta:eval=h4,depth=2", x = 2, ships = 4, key = { who = "two" }, quick = false },
]
column = [{ label = "pass", options = "hole=pass" }]
[section.pairing]
b = "random"
random_plies = 2
[[section.table]]
name = "results"
title = "Results"
figure = "dots"
[[section.table.measures]]
measure = "wins"
label = "wins of 20"
times = 0.2
published = { what = "wins" }
[[section.table.measures]]
measure = "plies"
label = "plies - 1"
plus = -1
[[section.table]]
name = "plies"
title = "Length"
measure = "plies"
among = "won"
compare = "ratio"
figure = "lines"
published = { what = "plies" }
[[section.histogram]]
name = "lengths"
title = "Lengths"
measure = "plies"
highest = 60
"""
OLD = "who,what,value\none,wins,20\none,plies,<9\ntwo,wins,0\ntwo,plies,\n"


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "old.csv").write_text(OLD)
    (tmp_path / "mine.toml").write_text(MINE)
    return str(tmp_path / "mine.toml")


@pytest.fixture
def asked(tmp_path):
    return StudyRequest(workers=1, db=tmp_path / "games.sqlite")


def rows(report, name):
    table = next(table for table in report.tables if table.name == name)
    return [dict(zip(table.headers, row, strict=True)) for row in table.rows]


# --- the studies that come with the package -------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, design in studies().items() if not design.calculation])
def test_every_pairing_of_a_study_can_be_played_and_measured(name):
    design = study(name)
    for section, pairings in design.wanted(StudyRequest()):
        assert section.tables or section.histograms
        for pairing in pairings:
            for spec in pairing.plan.specs:
                make_agent(spec, pairing.plan.rules).close()
            for table in section.tables:
                for measured in table.measures:
                    measure_of(design.game, measured.measure)
                    assert measured.percent_of is None or pairing.number(measured.percent_of) > 0


def test_every_number_of_the_ten_tables_of_van_der_zwaag_has_its_place():
    design = study("labyrinth")
    asked = set()
    for section, pairings in design.wanted(StudyRequest()):
        for pairing in pairings:
            for measured in (measured for table in section.tables for measured in table.measures if measured.published):
                where = measured.published | pairing.column.key | pairing.row.key
                asked.add(tuple(where.get(column) for column in ("table", "agent", "opponent", "board", "metric")))
    with (LABYRINTH / "published.csv").open() as file:
        printed = [row for row in csv.DictReader(file) if row["table"].isdigit()]
    assert len(printed) == 243 and {int(row["table"]) for row in printed} == set(range(1, 11))
    for row in printed:
        assert tuple(row[column] for column in ("table", "agent", "opponent", "board", "metric")) in asked


def test_published_numbers_are_in_files_and_not_in_code():
    assert published(LABYRINTH / "published.csv", {"table": "4", "agent": "S-MCAgent", "board": "3x3"}) == "84"
    for path in [*Path(studies_package.__file__).parent.glob("*.py"), *LABYRINTH.rglob("*.py")]:
        assert "5280000" not in path.read_text() and "149000" not in path.read_text()


def test_studies_know_no_game_by_name():
    for path in Path(studies_package.__file__).parent.glob("*.py"):
        assert not [name for name in game_names() if name in path.read_text().lower()], path.name


def test_sources_are_named_by_author_not_as_the_thesis_or_the_report():
    texts = [file for game in game_names() for file in folder_of(game).glob("*.toml")]
    texts += [*(Path(__file__).parent.parent / "docs" / "studies").rglob("*.md")]
    for path in texts:
        assert not re.search(r"\b[Tt]he (seed|thesis|report)('s)? ", path.read_text(encoding="utf-8")), path


def test_a_game_loads_its_measures_only_when_a_study_wants_them():
    code = "import sys, daedalus; daedalus.game('labyrinth'); print([name for name in sys.modules if 'measures' in name])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_a_new_folder_under_games_brings_its_studies_and_measures(tmp_path, monkeypatch):
    source = (Path(__file__).parent.parent / "examples" / "connect_four.py").read_text()
    (tmp_path / "tiny" / "kernels").mkdir(parents=True)
    (tmp_path / "tiny" / "__init__.py").touch()
    (tmp_path / "tiny" / "kernels" / "rules.py").write_text(source)
    (tmp_path / "tiny" / "measures.py").write_text("MEASURES = {'tags': lambda record: [(len(record.tags), 1.0)] * 2}\n")
    for file in ("study.toml", "depths.toml"):
        (tmp_path / "tiny" / file).write_text(MINE.replace("blackhole", "tiny"))
    monkeypatch.setattr(daedalus.games, "__path__", [*daedalus.games.__path__, str(tmp_path)])
    assert {"tiny", "tiny-depths"} <= set(studies()) and study("tiny").game == "tiny"
    result = SimpleNamespace(parsed=SimpleNamespace(tags={"Game": "tiny"}))
    assert measure_of("tiny", "tags")(result) == [(1, 1.0)] * 2


def test_every_study_says_what_it_is_and_costs():
    assert set(studies()) == {
        "blackhole",
        "colosseum",
        "labyrinth",
        "quoridor",
        "quoridor-complexity",
        "quoridor-learning",
        "saboteur",
    }
    assert all(study.about and "minute" in study.cost for study in studies().values())


# --- a small study of our own ---------------------------------------------------------------------------------------


def test_a_report_sets_our_numbers_beside_the_published_ones(mine, asked, tmp_path):
    report = run_study(mine, asked)
    found = rows(report, "depths-results")
    assert [row["what"] for row in found] == ["wins of 20", "plies - 1"] * 2
    one, _, two, _ = found
    assert one["published"] == 20 and two["published"] == 0 and 0 <= one["low"] <= one["ours"] <= one["high"] <= 20
    assert two["ours"] > 0 and two["differs"] == "yes" and two["ours - published"] == two["ours"]
    assert found[1]["published"] == "not reported" and one["games"] == 6
    plies = [row["published"] for row in rows(report, "depths-plies")]
    assert plies == ["<9", "not reported"]
    assert report.facts["games"] == "12 in 2 pairings" and report.facts["seed"] == "0"
    assert any("published numbers differ" in text for text in report.texts)
    files = write(report, tmp_path / "out")
    assert {file.suffix for file in files} == {".md", ".html", ".csv", ".svg"}
    assert page(report).count("<svg") == len(report.figures) == 4


def test_the_lengths_are_those_of_the_games(mine, asked):
    report = run_study(mine, asked)
    runs = arena.list_runs(asked.db)
    games = [result for run in runs for result in arena.load_run(run.name, asked.db).results]
    assert len(games) == 12
    histogram = rows(report, "depths-lengths")
    assert sum(row["games"] for row in histogram) == sum(result.plies <= 60 for result in games)
    mean = sum(result.plies for result in games[:6]) / 6
    assert rows(report, "depths-results")[1]["ours"] == pytest.approx(mean - 1)


def test_the_command_under_a_table_plays_the_same_games(mine, asked, tmp_path, monkeypatch, capsys):
    from daedalus.cli import main

    report = run_study(mine, asked)
    commands = next(block for block in report.blocks if isinstance(block, Commands))
    words = shlex.split(commands.lines[0][1])
    monkeypatch.setattr(sys, "argv", [*words, "--db", str(tmp_path / "again.sqlite"), "--workers", "1", "--json"])
    with pytest.raises(SystemExit) as end:
        main()
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert end.value.code == 0 and told["wins"] == rows(report, "depths-results")[0]["ours"] / 0.2 * 6 / 100
    again = arena.load_run(arena.list_runs(tmp_path / "again.sqlite")[0].name, tmp_path / "again.sqlite")
    before = arena.load_run(next(run.name for run in arena.list_runs(asked.db) if "depth=1" in run.name), asked.db)
    assert [result.essence for result in again.results] == [result.essence for result in before.results]


def test_an_interrupted_study_goes_on_where_it_stopped(mine, asked, tmp_path):
    def interrupt(what, done, total):
        if done >= 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="interrupted"):
        run_study(mine, asked, interrupt)
    assert sum(run.done for run in arena.list_runs(asked.db)) == 8
    told = []
    report = run_study(mine, asked, lambda what, done, total: told.append(done))
    whole = run_study(mine, StudyRequest(workers=1, db=tmp_path / "whole.sqlite"))
    assert min(told) >= 6 and rows(report, "depths-results") == rows(whole, "depths-results")


def test_a_part_a_size_and_a_fresh_start_can_be_wished_for(mine, asked):
    from dataclasses import replace

    assert run_study(mine, replace(asked, quick=True)).facts["games"] == "2 in 1 pairings"
    assert run_study(mine, replace(asked, only="depths/TWO/pass", games=4)).facts["games"] == "4 in 1 pairings"
    assert run_study(mine, replace(asked, only="depths//pass", games=4)).facts["games"] == "8 in 2 pairings"
    with pytest.raises(Exception, match="nothing of study 'mine' is at 'nowhere'; there are: depths/one, depths/two"):
        run_study(mine, replace(asked, only="nowhere"))
    told = []
    run_study(mine, replace(asked, quick=True, again=True), lambda what, done, total: told.append(done))
    assert told[0] == 0


def test_time_limits_are_scaled_in_limits_and_in_specs():
    design = study("colosseum")
    for scale, seconds in ((1.0, "0.19"), (10.0, "1.9")):
        _, (pairing, *_) = next(found for found in design.wanted(StudyRequest(scale=scale)) if found[0].name == "time")
        assert pairing.plan.specs[0] == f"report:seconds={seconds}"


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ('title = "A small one"', "", "title is missing"),
        ('measure = "plies"\nhighest', 'measure = "plys"\nhighest', "unknown measure 'plys'; did you mean 'plies'"),
        ('among = "won"', 'among = "one"', "unknown among 'one'"),
        ('figure = "lines"', 'figure = "pie"', "unknown figure 'pie'"),
        ("random_plies = 2", 'random_pies = "two"', "unknown key of a row or column 'random_pies'"),
        ("games = 6", "games = ", "Invalid value"),
        ('published = "old.csv"', 'published = "new.csv"', "cannot read the published numbers"),
        ('what = "wins"', 'which = "wins"', "has no column 'which'"),
        ('b = "random"', "", "wants both agents, a and b"),
        ('b = "random"', 'b = "nobody"', "unknown agent 'nobody'"),
        ("words = [", "wrods = [", "a study has no wrods"),
    ],
)
def test_a_mistake_in_a_file_is_named(old, new, complaint, mine, asked, tmp_path):
    assert old in MINE
    (tmp_path / "mine.toml").write_text(MINE.replace(old, new, 1))
    with pytest.raises(Exception, match=complaint):
        run_study(mine, asked)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InvalidStudy, match="cannot read .*none.toml: No such file"):
        read_design(tmp_path / "none.toml")


# --- numbers --------------------------------------------------------------------------------------------------------


def test_what_is_no_number_is_shown_and_not_compared():
    assert number("12.5") == 12.5 and number("<1") is None and number("") is None and number(None) is None


def test_a_difference_is_told_from_chance():
    from daedalus.arena.statistics import Estimate

    ours = Estimate(50.0, 40.0, 60.0)
    assert not _differs(ours, 60.0, 100, 100) and _differs(ours, 66.0, 100, 100)
    assert _differs(ours, 62.0, 100, 10_000) and not _differs(ours, 79.0, 100, 12)
    assert _differs(None, 60.0, 100, 100) is None and _differs(ours, None, 100, 100) is None


def test_a_mean_of_what_is_never_negative_has_no_negative_bound():
    design = study("blackhole")
    _, (pairing, *_) = design.wanted(StudyRequest())[0]
    wanted = replace(design.sections[3].tables[0].measures[0], measure="plies")
    games = arena.match("blackhole", "random", "random", games=4, workers=1, db=":memory:", random_plies=2).results
    lengths = [2, 2, 90, 90]  # two pairs that differ widely
    few = Sample(pairing, [replace(result, plies=n) for result, n in zip(games, lengths, strict=True)])
    estimate = few.estimate(wanted)
    assert estimate.low == 0 < estimate.value < estimate.high


def test_a_report_tells_the_command_that_gives_its_numbers():
    assert StudyRequest(db="x.db", workers=2, again=True).command("labyrinth") == "daedalus study labyrinth"
    asked = StudyRequest(quick=True, games=20, only="a table/row", scale=0.25, seed=3)
    assert asked.command("b.toml") == "daedalus study b.toml --quick --games 20 --only 'a table/row' --scale 0.25 --seed 3"


def test_goals_and_mistakes_are_measured_game_by_game(tmp_path):
    games = arena.match("labyrinth board=3x3", "rulebased", "random", games=4, workers=1, db=":memory:").results
    goals = measure_of("labyrinth", "goals")
    for result in games:
        found = [amount for amount, _ in goals(result)]
        winner = result.payoffs.index(1.0)
        assert found[winner] == 3 > found[1 - winner] >= 0
    perfect = arena.match("blackhole", "perfect", "random", games=2, workers=1, db=":memory:", random_plies=2)
    design = study("blackhole")
    _, (pairing, *_) = design.wanted(StudyRequest())[0]
    sample = Sample(pairing, perfect.results)
    mistakes = design.sections[3].tables[0].measures[0]
    assert sample.estimate(mistakes).value == 0
    random = sum(measure_of("blackhole", "mistakes")(result)[result.seats.index(1)][0] for result in perfect.results)
    assert random > 0


# --- the command ----------------------------------------------------------------------------------------------------


def command(capsys, monkeypatch, *arguments):
    from daedalus.cli import main

    monkeypatch.setattr(sys, "argv", ["daedalus", "study", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code, *capsys.readouterr()


def test_the_list_tells_every_study_with_its_cost(capsys, monkeypatch):
    code, out, _ = command(capsys, monkeypatch, "--list", "--json")
    assert code == 0 and [entry["name"] for entry in json.loads(out)] == list(studies())
    code, out, _ = command(capsys, monkeypatch, "--list")
    assert all(name in out for name in studies()) and "minutes on two cores" in out


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["quoridor-complexty"], "unknown study 'quoridor-complexty'; did you mean 'quoridor-complexity'?"),
        (
            [],
            "name a study: blackhole, colosseum, labyrinth, quoridor, quoridor-complexity, quoridor-learning, saboteur, or all",
        ),
        (["quoridor-complexity", "--games", "1"], "games=1: wants at least 2"),
        (["quoridor-complexity", "--workers", "0"], "workers=0: wants at least 1"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(arguments, complaint, capsys, monkeypatch):
    code, out, err = command(capsys, monkeypatch, *arguments)
    assert code == 2 and out == "" and complaint in err and err.count("\n") == 1


# --- all of them ----------------------------------------------------------------------------------------------------


def test_all_studies_run_at_a_reduced_size(tmp_path, monkeypatch, capsys):
    from daedalus.cli import main

    small = ["--quick", "--games", "2", "--scale", "0.1", "--workers", "1", "--db", str(tmp_path / "games.sqlite")]
    monkeypatch.setattr(sys, "argv", ["daedalus", "study", "all", *small, "--out", str(tmp_path), "--json"])
    with pytest.raises(SystemExit) as end:
        main()
    told = json.loads(capsys.readouterr().out)
    assert end.value.code == 0 and [report["study"] for report in told] == list(studies())
    for report in told:
        assert all(table["rows"] for table in report["tables"].values()) and report["tables"]
        assert (tmp_path / f"{report['study']}.html").stat().st_size > 5000
        assert report["study"] == "quoridor-complexity" or report["commands"]

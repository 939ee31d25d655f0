"""The arena's commands as a user meets them: match, tournament, runs; their reports, files and mistakes."""

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest

from daedalus import arena
from daedalus.arena.openings import deals
from daedalus.arena.report import elo, percent, report_of
from daedalus.arena.statistics import Estimate, distinct_games
from daedalus.core import DaedalusError
from daedalus.core.registry import make_game

COMMAND = [sys.executable, "-m", "daedalus"]
HIGH_CARD = f"{Path(__file__).parent / 'highcard.py'}:HighCard"  # three seats, cards dealt at random
KEYS = "games wins draws losses score score_low score_high elo elo_low elo_high los forfeits faults plies seconds_per_move first_seat_score distinct warnings"


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def db(tmp_path):
    return tmp_path / "runs.sqlite"


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs a command in this process; (what it printed, what it complained about)."""
    from daedalus.cli import main

    def command(*arguments, code=0):
        monkeypatch.setattr(sys, "argv", ["daedalus", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        captured = capsys.readouterr()
        assert end.value.code == code, captured.out + captured.err
        return captured.out, captured.err

    return command


def match(*rest):
    """A match that takes a moment: random ships pass the hole."""
    return ["match", "blackhole", "random", "random", "-o", "hole=pass", "--workers", 1, *rest]


# --- match ----------------------------------------------------------------------------------------------------------


def test_a_match_as_json_is_one_object_with_the_promised_keys(run):
    out, _ = run(*match("-n", 20, "--db", ":memory:", "--json"))
    told = json.loads(out)
    assert out.count("\n") == 1 and list(told) == KEYS.split()
    assert told["games"] == 20 == told["wins"] + told["draws"] + told["losses"]
    assert told["score_low"] < told["score"] < told["score_high"] and told["elo_low"] < told["elo"] < told["elo_high"]
    assert told["forfeits"] == [] and told["plies"]["shortest"] > 0
    assert told["seconds_per_move"]["a"] > 0 and told["seconds_per_move"]["b"] > 0


def test_the_report_says_who_is_better_and_how_sure_that_is(run):
    out, err = run("match", "blackhole", "greedy", "random", "-o", "hole=pass", "-n", 30, "--workers", 1, "--seed", 5)
    assert "blackhole hole=pass: A greedy v B random" in out and "30 games: A won" in out and "seed 5" in out
    assert re.search(r"score \d+\.\d % \[\d+\.\d %, \d+\.\d %\]", out) and re.search(r"Elo (\+\d+ \[|at least)", out)
    for part in ("likelihood that A is better", "Red", "Blue", "points of A in a pair", "CPU ms a move", "Length in plies"):
        assert part in out
    assert "daedalus runs show blackhole-match-" in out and err == ""


def test_a_game_that_always_starts_the_same_is_opened_at_random_and_a_dealt_one_is_not(run):
    assert not deals(make_game("blackhole")) and deals(make_game(HIGH_CARD))
    out, _ = run(*match("-n", 2, "--db", ":memory:"))
    assert "always starts the same: 4 random plies open each pair" in out and "random plies 4" in out
    out, _ = run("match", HIGH_CARD, "random", "random", "-n", 6, "--workers", 1, "--db", ":memory:")
    assert "random plies" not in out and "always starts" not in out


def test_games_that_are_all_the_same_are_not_taken_for_evidence(run):
    out, _ = run(
        *("match", "blackhole", "alphabeta:depth=1", "alphabeta:depth=2", "-o", "hole=pass", "-n", 12, "--workers", 1),
        *("--random-plies", 0, "--db", ":memory:"),
    )
    assert out.startswith("Beware: blackhole hole=pass always starts the same and there are no openings")
    assert "12 games, but only 2 distinct ones" in out


def test_programs_learn_that_games_are_the_same_again(run):
    command = ["match", "blackhole", "alphabeta:depth=1", "alphabeta:depth=2", "-o", "hole=pass", "-n", 8, "--workers", 1]
    told = json.loads(run(*command, "--random-plies", 0, "--db", ":memory:", "--json")[0])
    assert told["distinct"] == 2 and told["warnings"][0].startswith("8 games, but only 2 distinct ones")


@pytest.mark.parametrize("workers", [1, 2])
def test_with_json_nothing_else_reaches_stdout(tmp_path, workers):
    """Whoever prints: an agent, a library below Python, a process that was started."""
    noisy = tmp_path / "noisy.py"
    noisy.write_text(
        "import os, subprocess\nclass Noisy:\n    def choose(self, view, limit):\n        print('noise', flush=True)\n"
        "        os.write(1, b'noise\\n')\n        subprocess.run(['echo', 'noise'])\n        return view.legal_moves[0]\n"
    )
    command = [
        "match",
        "blackhole",
        f"{noisy}:Noisy",
        "random",
        "-n",
        "2",
        "--workers",
        str(workers),
        "--db",
        ":memory:",
        "--json",
    ]
    done = subprocess.run([*COMMAND, *command], capture_output=True, text=True)
    assert json.loads(done.stdout)["games"] == 2 and done.stdout.count("\n") == 1 and "noise" in done.stderr


@pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed (pip install 'daedalus[ray]')")
@pytest.mark.timeout(600)
def test_with_json_ray_does_not_reach_stdout():
    command = [
        "match",
        "blackhole",
        "random",
        "random",
        "-n",
        "2",
        "--on",
        "ray",
        "--workers",
        "2",
        "--db",
        ":memory:",
        "--json",
    ]
    done = subprocess.run([*COMMAND, *command], capture_output=True, text=True)
    assert json.loads(done.stdout)["games"] == 2 and done.stdout.count("\n") == 1, done.stdout + done.stderr


@pytest.mark.parametrize("flag", ["--html", "--plot", "--save"])
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_played(run, db, flag, tmp_path):
    (tmp_path / "letter").touch()
    target = tmp_path / "letter" / "file.svg"
    _, err = run("tournament", "blackhole", "random", "greedy", "-n", 2, "--db", db, flag, target, code=2)
    assert err.startswith(f"daedalus: cannot write {target}: ") and err.count("\n") == 1 and not db.exists()


def test_openings_come_from_a_file(run, tmp_path):
    openings, games = tmp_path / "openings.txt", tmp_path / "games.txt"
    openings.write_text("b4-b3 a1-a4  # a comment\n\nd4-d3\n")
    out, _ = run(*match("-n", 8, "--openings", openings, "--save", games, "--db", ":memory:"))
    assert "openings 2 lines" in out and "random plies" not in out
    begun = [line for line in games.read_text().splitlines() if line.startswith("1. ")]
    assert [line.split()[1] for line in begun] == ["b4-b3", "b4-b3", "d4-d3", "d4-d3"] * 2


def test_sprt_ends_a_match_early_and_says_which_hypothesis_won(run):
    command = ["match", "blackhole", "greedy", "random", "-o", "hole=pass", "--workers", 1, "-n", 400, "--sprt", "0,100"]
    told = json.loads(run(*command, "--db", ":memory:", "--json")[0])
    assert told["games"] < 400 and told["sprt"]["decision"] == "H1"
    assert told["sprt"]["llr"] >= told["sprt"]["bounds"][1]
    assert "SPRT 0,100 accepts H1, +100 Elo rather than +0" in run(*command, "--db", ":memory:")[0]


def test_the_errors_of_a_test_are_given_kept_and_shown(run, db):
    run(*match("-n", 8, "--sprt", "0,100,0.001,0.001", "--db", db, "--name", "strict"))
    (info,) = arena.list_runs(db)
    assert info.settings["sprt"] == "0,100,0.001,0.001"
    told = json.loads(run("runs", "show", "strict", "--db", db, "--json")[0])
    assert told["sprt"]["bounds"] == [pytest.approx(-6.9, abs=0.01), pytest.approx(6.9, abs=0.01)]  # log 999


def test_a_limit_is_given_as_flags_and_kept(run, db):
    run(*match("-n", 2, "--simulations", 50, "--depth", 3, "--grace", 2, "--db", db, "--name", "short"))
    (info,) = arena.list_runs(db)
    assert info.settings["limit"] == "simulations=50,depth=3" and info.settings["grace"] == 2


def test_a_limit_may_have_a_name(run, db):
    run(*match("-n", 2, "--limit", "course", "--depth", 3, "--db", db, "--name", "course"))
    run(
        "tournament", "blackhole", "random", "greedy", "-n", 2, "--workers", 1, "--limit", "course", "--db", db, "--name", "all"
    )
    one, other = arena.list_runs(db)
    assert one.settings["limit"] == "seconds=2.0,depth=3,first=30.0" and other.settings["limit"] == "seconds=2.0,first=30.0"
    assert "limit seconds=2.0,depth=3,first=30.0" in run("runs", "show", "course", "--db", db)[0]
    _, err = run(*match("--limit", "curse"), code=2)
    assert err == "daedalus: unknown limit 'curse'; did you mean 'course'? valid: course, depth, first, seconds, simulations\n"


def test_games_of_three_seats_have_a_match_too(run):
    told = json.loads(run("match", HIGH_CARD, "random", "random", "-n", 12, "--workers", 1, "--db", ":memory:", "--json")[0])
    assert told["games"] == 12 and told["plies"]["longest"] == 6


# --- tournament -----------------------------------------------------------------------------------------------------


def test_a_tournament_rates_its_agents_and_draws_them(run, tmp_path):
    plot, page = tmp_path / "ratings.png", tmp_path / "report.html"
    out, _ = run(
        *("tournament", "blackhole", "random", "greedy", "alphabeta:depth=2", "-o", "hole=pass", "-n", 8, "--workers", 1),
        *("--anchor", "random=1000", "--plot", plot, "--html", page, "--db", ":memory:"),
    )
    assert "24 games of 3 agents" in out and "Elo with random = 1000" in out and "[1000, 1000]" in out
    assert re.search(r"3 +random +[\d.]+ / 8 +[\d.]+ / 8 +·", out) and "Crosstable" in out and f"Written: {plot}" in out
    assert plot.read_bytes().startswith(b"\x89PNG") and plot.stat().st_mode & 0o044
    assert "<svg" in page.read_text()


def test_a_gauntlet_leaves_out_the_games_among_the_others(run, tmp_path):
    plot = tmp_path / "ratings.svg"
    told = json.loads(
        run(
            *("tournament", "blackhole", "greedy", "random", "random:", "-o", "hole=pass", "-n", 4, "--gauntlet"),
            *("--workers", 1, "--db", ":memory:", "--json", "--plot", plot),
        )[0]
    )
    assert told["games"] == 8 and told["crosstable"][1][2] is None and told["crosstable"][0][1]["wins"] <= 4
    assert told["ratings"][0]["spec"] == "greedy" and abs(sum(rating["elo"] for rating in told["ratings"])) < 1e-6
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")


def test_a_tournament_of_three_seats_is_rated_by_order(run):
    told = json.loads(
        run("tournament", HIGH_CARD, "random", "random", "random", "-n", 6, "--workers", 1, "--db", ":memory:", "--json")[0]
    )
    assert told["games"] == 6 and all(rating["games"] == 6 for rating in told["ratings"])


# --- reports --------------------------------------------------------------------------------------------------------


class Links(HTMLParser):
    """What a page loads, and whether its tags close."""

    VOID = {"meta", "br", "hr", "img", "link"}

    def __init__(self):
        super().__init__()
        self.open, self.loads = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        self.loads += [value for name, value in attributes if name in ("src", "href", "data") and not value.startswith("#")]
        assert tag not in ("script", "link", "iframe", "img")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_html_report_needs_nothing_else_and_tells_how_it_was_played(run, tmp_path):
    page = tmp_path / "report.html"
    spec = "engine:true <b> & co"  # a spec is not markup
    out, _ = run("match", "blackhole", "random", spec, "-n", 2, "--workers", 1, "--seed", 9, "--html", page, "--db", ":memory:")
    assert f"Written: {page}" in out and "2 of 2 games were forfeited" in out
    text = page.read_text()
    parser = Links()
    parser.feed(text)
    assert parser.open == [] and parser.loads == []
    assert (
        "@import" not in text
        and "url(http" not in text
        and "prefers-color-scheme: dark" in text
        and "width=device-width" in text
    )
    assert "<b>" not in text and "engine:true &lt;b&gt; &amp; co" in text
    for fact in ("<dt>seed</dt><dd>9</dd>", "<dt>command</dt><dd>daedalus match", "<dt>machine</dt>", "<dt>version</dt>"):
        assert fact in text
    assert "Forfeits" in text and "Length in plies" in text and text.count("<svg") == 1


def test_numbers_are_not_rounded_into_certainty():
    assert percent(1.0) == "100.0 %" and percent(0.99999) == "> 99.9 %" and percent(1e-9) == "< 0.1 %" and percent(0) == "0.0 %"
    assert elo(Estimate(35.2, -3.1, 80.0)) == "+35 [-3, +80]"
    assert elo(Estimate(float("inf"), 166.2, float("inf"))) == "at least +166"
    assert elo(Estimate(0.0, float("-inf"), float("inf"))) == "unknown"


def test_games_differ_by_seats_moves_and_deal_not_by_times():
    result = arena.match("blackhole hole=pass", "random", "random", games=2, workers=1, db=":memory:").results[0]
    again = arena.GameResult(
        **result.row() | {"record": re.sub(r"\{[^}]*s", "{9.9s", result.record).replace("[Seed", "[Other")}
    )
    assert again.record != result.record and distinct_games([result, again], dealt=False) == 1
    other = result.record.replace('[Seed "', '[Seed "1')
    assert distinct_games([result, arena.GameResult(**result.row() | {"record": other})], dealt=True) == 2


def test_a_run_can_be_shown_though_its_game_is_gone(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(Path(HIGH_CARD.rpartition(":")[0]).read_text())
    result = arena.match(f"{file}:HighCard", "random", "random", games=3, workers=1, db=":memory:")
    file.unlink()
    result.settings["game"] = f"{tmp_path}/gone.py:HighCard"
    assert report_of(result).texts[0].startswith("6 games: A won")  # two mixtures of two agents, in three rotations


# --- runs -----------------------------------------------------------------------------------------------------------


def test_runs_are_listed_shown_exported_and_deleted(run, db, tmp_path):
    told = json.loads(run(*match("-n", 6, "--db", db, "--name", "first", "--json"))[0])
    run(
        "tournament",
        "blackhole",
        "random",
        "greedy",
        "-o",
        "hole=pass",
        "-n",
        2,
        "--workers",
        1,
        "--db",
        db,
        "--name",
        "second",
    )
    out, _ = run("runs", "--db", db)
    assert re.search(r"first +blackhole hole=pass +random v random +6 +6 +20", out) and "second" in out
    assert [entry["name"] for entry in json.loads(run("runs", "--db", db, "--json")[0])] == ["first", "second"]
    assert json.loads(run("runs", "show", "first", "--db", db, "--json")[0]) == told
    assert "6 games: A won" in run("runs", "--db", db, "show", "first")[0]
    assert "Crosstable" in run("runs", "show", "second", "--db", db, "--plot", tmp_path / "r.svg")[0]
    folder = tmp_path / "out"
    listed = run("runs", "export", "first", folder, "--db", db)[0].split()
    assert {Path(path).name for path in listed} >= {"records.txt", "games.csv", "games.jsonl", "run.json"}
    with open(folder / "games.csv") as file:
        assert len(list(csv.DictReader(file))) == 12
    assert "deleted" in run("runs", "delete", "first", "--db", db)[0]
    assert [info.name for info in arena.list_runs(db)] == ["second"]


def test_without_runs_the_list_says_so(run):
    assert "No runs yet" in run("runs")[0]


def test_a_run_of_the_same_name_is_continued_and_other_settings_are_refused(run, db):
    told = run(*match("-n", 6, "--db", db, "--name", "one", "--json"))[0]
    assert run(*match("-n", 6, "--db", db, "--name", "one", "--json"))[0] == told  # times too: nothing was played again
    assert "was begun with seed 0, not 3" in run(*match("-n", 6, "--db", db, "--name", "one", "--seed", 3), code=2)[1]


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["match", "blackhole", "random"], "Missing argument 'B'"),
        (["match", "blackhol", "random", "random"], "unknown game 'blackhol'"),
        (["match", "blackhole", "random", "nobody"], "unknown agent 'nobody'"),
        (["match", "blackhole", "random", "random", "-n", "0"], "games=0"),
        (["match", "blackhole", "random", "random", "--seconds", "0"], "seconds=0.0: must be more than 0"),
        (["match", "blackhole", "random", "random", "--sprt", "10,0"], "sprt 10,0: wants elo0,elo1"),
        (["match", "blackhole", "random", "random", "--openings", "/nowhere/o"], "cannot read openings from /nowhere/o"),
        (["match", "blackhole", "random", "random", "--workers", "0"], "workers=0"),
        (["match", "blackhole", "random", "random", "--on", "moon"], "moon"),
        (["match", "blackhole", "random", "random", "--db", "mysql://x/y"], "SQLite or PostgreSQL, not mysql"),
        (["tournament", "blackhole"], "Missing argument 'SPEC...'"),
        (["tournament", "blackhole", "random", "greedy", "--plot", "r.gif"], "plot 'r.gif': name it with .png or .svg"),
        (["tournament", "blackhole", "random", "greedy", "--anchor", "random"], "anchor 'random': write it as SPEC=RATING"),
        (["tournament", "blackhole", "random", "greedy", "--anchor", "mcts=3"], "unknown anchor 'mcts'"),
        (
            ["match", "blackhole", "random", "random", "-n", "10000000000000"],
            "games=10000000000000: wants at most 1,000,000,000",
        ),
        (["match", "blackhole", "random", "random", "--workers", "1000000"], "workers=1000000"),
        (["match", "blackhole", "random", "random", "--name", "a\x1b[31m"], "run name"),
        (["match", "blackhole", "random", "random", "--sprt", "0,10,2,2"], "sprt 0,10,2,2: wants shares of errors"),
        (["runs", "show", "nothing"], "there is no run 'nothing'"),
        (["runs", "delete", "nothing"], "there is no run 'nothing'"),
        (["runs", "explode"], "No such command 'explode'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(run, arguments, complaint):
    out, err = run(*arguments, code=2)
    assert out == "" and err.startswith("daedalus: ") and err.count("\n") == 1 and complaint in err


def test_the_plot_of_a_match_is_refused(run, db, tmp_path):
    run(*match("-n", 2, "--db", db, "--name", "one"))
    assert "ratings of a tournament" in run("runs", "show", "one", "--db", db, "--plot", tmp_path / "r.png", code=2)[1]


def test_the_help_of_match_explains_every_flag():
    out = subprocess.run(
        [*COMMAND, "match", "--help"], capture_output=True, text=True, env=os.environ | {"COLUMNS": "200"}
    ).stdout
    flags = "-n -o --seconds --simulations --depth --seed --workers --on --sprt --openings --random-plies --grace --save --db --name"
    for flag in [*flags.split(), "--json", "--html"]:
        assert re.search(rf"{flag}\W.*[a-z]{{4}}", out), flag


# --- while it runs --------------------------------------------------------------------------------------------------


def waited(condition, seconds=120):
    """Waits until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


def begun(db, games):
    """Whether so many games are in the store."""
    try:
        return any(info.done >= games for info in arena.list_runs(db))
    except DaedalusError:  # not made yet
        return False


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_keeps_everything_reports_and_says_how_to_continue(run, db, workers, request):
    long = ["match", "blackhole", "random", "random", "-n", 100_000, "--workers", workers, "--db", db, "--seed", 4]
    process = subprocess.Popen([*COMMAND, *map(str, long)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    request.addfinalizer(process.kill)
    waited(lambda: begun(db, 3))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130 and err == ""
    (info,) = arena.list_runs(db)
    assert info.ended is None and info.done >= 3
    assert f"{info.done:,} games: A won" in out and f"Interrupted after {info.done:,} games; all are kept" in out
    assert out.rstrip().endswith(f"--seed 4 --name {info.name}")
    assert f"Unfinished: {info.done:,} of 100,000" in run("runs", "show", info.name, "--db", db)[0]


def test_a_person_sees_a_bar_with_rate_time_left_and_score(tmp_path, request):
    here, there = pty.openpty()
    command = [
        "match",
        "blackhole",
        "random",
        "random",
        "-n",
        "100000",
        "--workers",
        "1",
        "--db",
        str(tmp_path / "runs.sqlite"),
    ]
    process = subprocess.Popen(
        [*COMMAND, *command], stdin=there, stdout=there, stderr=there, env=os.environ | {"COLUMNS": "140"}
    )
    request.addfinalizer(process.kill)
    os.close(there)
    seen, end = "", time.monotonic() + 120
    bar = re.compile(r"/100000 \S*\d+\.\d/s\S* .*:.* A \d+-\d+-\d+, \d+\.\d % \[\d+\.\d %, \d+\.\d %\]")
    while not bar.search(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)) and time.monotonic() < end:
        seen += os.read(here, 65536).decode(errors="replace")
    process.send_signal(signal.SIGINT)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)
    while process.poll() is None:  # what it still prints must be read, else it waits
        try:
            os.read(here, 65536)
        except OSError:
            break
    os.close(here)
    assert process.wait(60) == 130
    assert bar.search(shown) and "4 random plies open each pair" in shown

"""Whom one plays against and with which clock: levels, the coach and its memory, flags that fall, thoughts that are stopped."""

import io
import json
import time
from pathlib import Path

import pytest
from rich.console import Console
from test_play import First, Table

import daedalus
from daedalus import Agent, InvalidOption, Position, Thought
from daedalus.core.clocks import Clocks, read_clock
from daedalus.core.registry import game_names
from daedalus.terminal import ascii, coach, levels, markup
from daedalus.terminal.coach import Coach, Grade
from daedalus.terminal.input import Question
from daedalus.terminal.screen import Screen
from daedalus.terminal.thinking import Thinking, spoken

WIN = "R..../...../R.*BR/.B.../B...B R"  # Red wins with a3-c3


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "daedalus"


# --- levels ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_four_levels_and_a_beginner_meets_the_first(name):
    game = daedalus.game(name)
    offered = levels.levels(game)
    assert list(offered) == ["novice", "club", "strong", "expert"] and len(set(offered.values())) == 4
    assert levels.opponent(game) == offered["novice"] == "novice"


def test_a_variant_that_a_levels_agent_does_not_play_and_a_game_of_ones_own_get_general_ones():
    four = levels.levels(daedalus.game("quoridor", players=4))
    assert four["novice"].startswith("mcts:") and four["expert"] == "mcts:seconds=1"
    own = levels.levels(daedalus.game(f"{Path(__file__).parent / 'highcard.py'}:HighCard"))
    assert own["club"] == "mcts:simulations=250"


def test_level_changes_the_opponent_from_the_next_move_on():
    table = Table(["level", "level nonsense", "level club", "b4-b3"])
    table.session._make = lambda spec, game, seed: First()
    out = table.run()
    assert "novice" in out and "there is no level 'nonsense'" in out and "Your opponent is now club" in out
    assert [player.spec for player in table.session.players] == ["human", "club"] and len(table.moves) == 2


# --- the coach ------------------------------------------------------------------------------------------------------


def test_a_grade_goes_up_after_a_win_down_after_a_loss_stays_after_a_fair_result_and_within_bounds():
    grade = Grade(2.0, 3)
    assert grade.after(1.0, 0.5).level > 2 > grade.after(0.0, 0.5).level and grade.after(0.5, 0.5).level == 2
    assert Grade(3.95, 9).after(1.0, 0.5).level == 4 and Grade(0.0, 9).after(0.0, 0.5).level == 0
    first, later = (abs(Grade(2.0, games).after(1.0, 0.5).level - 2.0) for games in (0, 50))
    assert first > later >= 0.2
    assert Grade(2.0, 3).after(1.0, 0.25).level > 2 > Grade(2.0, 3).after(0.0, 0.25).level  # one of four wins


def test_the_grade_settles_where_the_player_wins_half_of_the_games():
    """A player who beats the coach with a chance that falls as its grade rises, by a half at 2.6."""
    import random

    chance, grade, seen = random.Random(1), Grade(), []
    for _ in range(300):
        won = chance.random() < 1 / (1 + 10 ** (grade.level - 2.6))
        grade = grade.after(float(won), 0.5)
        seen.append(grade.level)
    assert abs(sum(seen[50:]) / 250 - 2.6) < 0.2


def test_the_coach_plays_the_level_above_as_often_as_its_grade_says():
    position = daedalus.new("blackhole")
    agent = Coach(position.game, 5, ["random", "novice", "club", "strong", "expert"])
    agent.grade = Grade(1.25)
    asked = []

    class Noted(Agent):
        def __init__(self, level):
            self.level = level

        def choose(self, view, limit=None):
            asked.append(self.level)
            return Thought(view.legal_moves[0])

    agent._agents = {level: Noted(level) for level in range(5)}
    for seed in range(400):
        agent.seed = seed
        agent.choose(position.view())
    assert set(asked) == {1, 2} and 60 <= asked.count(2) <= 140  # a quarter of 400, five standard deviations


def coached(lines):
    table = Table(lines, position=Position.from_text(daedalus.game("blackhole"), WIN))
    table.session.players[1].agent = Coach(table.session.position.game, 1, ["random"] * 5)
    return table


def test_a_game_with_the_coach_is_remembered_and_read_by_the_next(data_folder):
    before = coach.grade_in(daedalus.game("blackhole"))
    assert before == Grade()
    out = coached(["a3-c3", "coach", ""]).run()
    after = coach.grade_in(daedalus.game("blackhole"))
    assert "The coach will play at" in out and "after 1 game" in out
    assert after.level == pytest.approx(before.after(1.0, 0.5).level, abs=1e-3) and after.games == 1
    assert coach.grade_in(daedalus.game("quoridor")) == Grade()  # each game for itself
    coached(["resign", ""]).run()
    assert coach.grade_in(daedalus.game("blackhole")).level < after.level


def test_a_game_with_help_does_not_count():
    out = coached(["a5-e5", "undo", "a3-c3", ""]).run()
    assert "the coach does not count this game" in out and coach.grade_in(daedalus.game("blackhole")) == Grade()


@pytest.mark.parametrize("contents", ["", "{", "[]", '{"blackhole": 3}', '{"blackhole": {"level": 99, "games": 1}}', '"x"'])
def test_a_broken_memory_is_no_memory(contents, data_folder):
    data_folder.mkdir(parents=True)
    (data_folder / "coach.json").write_text(contents)
    assert coach.grade_in(daedalus.game("blackhole")) == Grade()
    coach.remember(daedalus.game("blackhole"), Grade(2.0, 7))
    assert coach.grade_in(daedalus.game("blackhole")) == Grade(2.0, 7)
    assert json.loads((data_folder / "coach.json").read_text())["blackhole"] == {"level": 2.0, "games": 7}


def test_a_disk_that_cannot_be_written_is_told_and_ends_nothing(data_folder):
    data_folder.parent.mkdir(parents=True, exist_ok=True)
    data_folder.write_text("a file in place of the folder")
    out = coached(["a3-c3", ""]).run()
    assert "The coach cannot remember this game" in out and "Red wins" in out


# --- clocks ---------------------------------------------------------------------------------------------------------


def test_a_clock_is_minutes_and_seconds_a_move():
    assert read_clock("5+3") == (300, 3) and read_clock("0.5") == (30, 0) and read_clock("0+2") == (0, 2)
    for wrong in ("", "5+", "five", "-1+3", "0+0", "5+3+2", "99999"):
        with pytest.raises(InvalidOption, match="minutes"):
            read_clock(wrong)


def test_a_clock_runs_for_one_seat_and_gives_its_increment_after_a_move(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    clocks = Clocks(2, 60, 5)
    clocks.start(0)
    now[0] += 20
    assert (clocks.left(0), clocks.left(1)) == (40, 60) and clocks.shown(0) == "0:40"
    clocks.stop(moved=True)
    now[0] += 100
    assert (clocks.left(0), clocks.left(1)) == (45, 60)
    clocks.start(1)
    now[0] += 55
    assert clocks.shown(1) == "5.0" and 0 < clocks.limit(1).seconds < 5
    now[0] += 10
    assert clocks.left(1) < 0
    clocks.stop(moved=True)
    assert clocks.left(1) < 0  # nothing is given after the flag
    assert clocks.fresh().left(1) == 60


def test_a_flag_that_falls_loses_the_game_and_is_told(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    table = Table(["b4-b3", "a5-d5", ""])
    table.session.clocks = Clocks(2, 10, 0)
    ask = table.session.ask

    def slow(question):
        now[0] += 6
        assert question.prompt == "over> " or question.clock() in ("4.0", None)
        return ask(question)

    table.session.ask = slow
    out = table.run()
    assert "Blue wins: Red has no time left" in out and table.moves == ["b4-b3", "b2-c2"]
    assert "Red: human 4.0" in out


# --- thoughts -------------------------------------------------------------------------------------------------------


def test_a_thought_in_a_line():
    move = daedalus.new("quoridor").parse("e2")
    assert spoken(Thought(move, value=0.125, line=("e2", "e8"), depth=7)) == "   depth 7   +0.12   e2 e8"
    assert spoken(Thought(move, simulations=1200)) == "   1,200 simulations   e2"


def test_nothing_of_a_private_thought_is_told():
    out = io.StringIO()
    wait = Thinking(Screen(Console(file=out)), "Blue", private=True)
    move = daedalus.new("saboteur", seed=1).legal_moves[0]
    assert wait.watch(Thought(move, value=0.5, line=("malus",), depth=3)) and wait._said == "" and out.getvalue() == ""


def test_every_move_of_the_opponents_since_ones_turn_is_told():
    position = daedalus.new("quoridor", players=4)
    out = Table(["e2", "quit"], seats=("human", "first", "first", "first"), position=position).run()
    told = next(line for line in out.splitlines() if line.startswith("Red ") and "Green" in line)
    assert [word for word in told.split() if word in ("Red", "Black", "Green")] == ["Red", "Black", "Green"]


# --- what is shown --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("columns, lines", [(80, 24), (60, 20), (200, 60)])
def test_the_largest_picture_that_fits_is_shown_and_the_usual_board_always_does(name, columns, lines):
    position = daedalus.new(name, seed=1).view()
    sizes = position.game.pictures(position.state, position.seat, position.last, False)
    heights = [size.plain.count("\n") for size in sizes]
    assert heights == sorted(heights, reverse=True) and sizes[0].plain == str(position)
    screen = Screen(Console(file=io.StringIO(), width=columns, height=lines, force_terminal=True))
    chosen = screen.fitting(sizes, lines - 6)  # beside headline, summary, a move, a prompt of two lines
    rows = chosen.plain.split("\n")
    assert len(rows) <= lines - 6 and max(map(len, rows)) <= columns
    assert chosen is sizes[0] or (columns, lines) != (200, 60)


@pytest.mark.parametrize("name", game_names())
def test_boards_turned_around_show_the_same_signs(name):
    position = daedalus.new(name, seed=2)
    for _ in range(5):
        position.push(position.legal_moves[len(position.legal_moves) // 3])
    sides = [position.game.pictures(position.state, None, None, flipped) for flipped in (False, True)]
    for one, other in zip(*sides, strict=True):
        assert sorted(filter(str.isalnum, one.plain)) == sorted(filter(str.isalnum, other.plain))
        assert (one.plain == other.plain) == (name == "saboteur")


@pytest.mark.parametrize("name", game_names())
def test_where_there_is_only_ascii_boards_keep_their_shape_and_tiles_their_ways(name):
    position = daedalus.new(name, seed=2)
    for picture in position.game.pictures(position.state, None, None, False):
        shown = ascii.plain(picture.plain)
        assert (
            shown.isascii() and "?" not in shown.replace("?", "", picture.plain.count("?")) and len(shown) == len(picture.plain)
        )


def test_ways_of_tiles_stay_apart_in_ascii():
    """With the arms beside them, the eleven tiles of Labyrinth and the doubled ones of Saboteur are all different."""
    from daedalus.games.saboteur.kernels.tiles import LAID, SIDES, THROUGH
    from daedalus.games.saboteur.terminal import _small_tile

    shown = {ascii.plain(_small_tile(tile)): (int(SIDES[tile]), bool(THROUGH[tile])) for tile in range(LAID)}
    assert len(shown) == len({(int(SIDES[tile]), bool(THROUGH[tile])) for tile in range(LAID)})


@pytest.mark.parametrize(
    "encoding, variables, only",
    [
        ("utf-8", {"LANG": "en_GB.UTF-8"}, False),
        ("utf-8", {}, False),
        ("ascii", {"LANG": "en_GB.UTF-8"}, True),
        ("utf-8", {"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),  # as Python finds itself under LANG=C
        ("utf-8", {"LC_ALL": "POSIX", "LANG": "en_GB.UTF-8"}, True),
        ("utf-8", {"LANG": "C", "LC_CTYPE": "en_GB.UTF-8"}, False),
    ],
)
def test_ascii_is_used_where_the_encoding_or_the_locale_has_no_better(encoding, variables, only, monkeypatch):
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert ascii.is_plain(encoding) == only


def test_a_guides_text_is_folded_with_its_marks_taken_away():
    folded = markup.folded("**Goal.** Win with `e2` at once.\n- an entry that is long", 16)
    assert folded.plain == "Goal. Win with\ne2 at once.\n- an entry that\n  is long"
    assert {folded.plain[span.start : span.end] for span in folded.spans} >= {"Goal.", "e2"}


def test_rules_lessons_history_and_new_in_a_pipe():
    out = Table(
        ["rules", "learn", "b4-b3", "", "q", "b4-b3", "history", "new", "flip", "help b4-b3", "help b4-b1", "quit"]
    ).run()
    assert "Goal." in out and "Lesson 1 of 3" in out and "Lesson 2 of 3" in out
    assert "1. Red b4-b3   Blue b2-c2" in out and "A new game" in out and out.count("The game is kept in") == 1
    assert "b4-b3: the ship on b4 slides down to b3" in out and "slides that way as far as b3" in out


def test_lessons_answer_a_slip_and_leave_the_game_alone():
    table = Table(["learn", "nonsense", "d4-d3", "b4-b3", "", "a3-e3", "", "a3-c3", "", "quit"])
    out = table.run()
    assert "'nonsense' is not a move" in out and "This time try b4-b3" in out and "you have won" in out
    assert table.moves == []
    assert [question.prompt for question in table.asked].count("your move> ") == 5


def test_a_terminal_question_knows_how_much_room_is_left():
    screen = Screen(Console(file=io.StringIO(), width=80, height=24, force_terminal=True))
    screen.wipe()
    for _ in range(10):
        screen.say("x" * 79)
    assert screen.room == 24 - 10 - 2
    assert Question("a", room=3) == Question("a", room=5)  # what is asked does not depend on it

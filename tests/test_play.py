"""The game at a terminal: scripted lines in, text out; and once for real, in tmux."""

import io
from pathlib import Path

import pytest
from rich.console import Console
from tmux import PLAY, Tmux, environment, needs_tmux

import daedalus
from daedalus import Agent, DaedalusError, InvalidSpec, Limit, Position, Thought
from daedalus.core.record import read_records
from daedalus.terminal import arguments, menu
from daedalus.terminal.input import Question
from daedalus.terminal.replay import Replay
from daedalus.terminal.screen import Screen
from daedalus.terminal.session import Session


class First(Agent):
    """Plays the first legal move."""

    def choose(self, view, limit=None):
        return Thought(view.legal_moves[0], value=0.25, simulations=7, seconds=0.5)


class Broken(Agent):
    """Fails at its first try, then plays."""

    def __init__(self, error=None):
        self.error = error or RuntimeError("out of\nfuel")

    def choose(self, view, limit=None):
        error, self.error = self.error, None
        if error:
            raise error
        return Thought(view.legal_moves[0])


class Timed(First):
    """Plays the first legal move and tells how long it was given for each."""

    given: list[float | None] = []

    def choose(self, view, limit=None):
        self.given.append(limit.seconds)
        return super().choose(view)


class Cheat(Agent):
    """Names a move that is not legal."""

    def choose(self, view, limit=None):
        return Thought(view.move(3))


AGENTS = {"first": First, "timed": Timed, "broken": Broken, "cheat": Cheat, "mad": lambda: Broken(SystemExit(3))}


def make(spec, game, seed):
    if spec not in AGENTS:
        raise InvalidSpec(f"unknown agent '{spec}'")
    agent = AGENTS[spec]()
    agent.spec = spec
    return agent


class Table:
    """A session with scripted lines; keeps what it printed and what it asked."""

    def __init__(self, lines, seats=("human", "first"), position=None):
        self.out = io.StringIO()
        self.asked: list[Question] = []
        self._lines = iter(lines)
        screen = Screen(Console(file=self.out, width=120))
        self.session = Session(position or daedalus.new("blackhole", seed=3), seats, screen, self._ask, make=make)

    def _ask(self, question):
        self.asked.append(question)
        line = next(self._lines, None)
        if line is None:
            raise EOFError
        return line

    def run(self, save=None):
        self.session.run(save)
        return self.out.getvalue()

    @property
    def moves(self):
        return [str(move) for move in self.session.position.history]


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "daedalus" / "games"


def test_a_move_is_answered_by_the_agent_with_a_line_about_its_thought():
    table = Table(["b4-b3"])
    out = table.run()
    assert table.moves == ["b4-b3", "b2-c2"]
    assert "Red b4-b3" in out
    assert "Blue (first) b2-c2   value +0.250   7 simulations, 0.50 s" in out


def test_wrong_input_is_one_line_and_changes_nothing():
    table = Table(["b4-b1", "nonsense", "undoo", "save", "load", "load /nonexistent/file", "", "   ", "undo"])
    out = table.run()
    assert table.moves == []
    assert "'b4-b1': the ship on b4 slides that way as far as b3\n" in out
    assert "'nonsense' is not a move; write the two squares, as in a5-d5\n" in out
    assert "or the command 'undo'?" in out
    assert "save wants a file name: save FILE" in out
    assert "cannot read /nonexistent/file: No such file or directory" in out
    assert "there is no turn of yours to go back to" in out
    assert out.count("ply 0") == 1  # nothing was drawn again


def test_undo_goes_back_to_the_humans_own_turn():
    table = Table(["b4-b3", "a5-d5", "undo", "moves"])
    out = table.run()
    assert table.moves == ["b4-b3", "b2-c2"]
    assert "a5-d5" in out.rpartition("Taken back")[2]


def test_undo_between_two_humans_takes_back_one_move():
    table = Table(["b4-b3", "b2-a2", "undo"], seats=("human", "human"))
    table.run()
    assert table.moves == ["b4-b3"]


def test_undo_never_reaches_before_the_humans_first_turn():
    table = Table(["undo"], seats=("first", "human"))
    assert "there is no turn of yours to go back to" in table.run()
    assert len(table.moves) == 1


def test_help_lists_every_command_and_the_prompt_offers_them_with_the_legal_moves():
    table = Table(["help"])
    out = table.run()
    question = table.asked[0]
    for command in ("undo", "hint", "save", "load", "resign", "moves", "help", "quit"):
        assert f"  {command} " in out
        assert question.words[command]
    assert question.prompt == "Red> "
    assert {str(move) for move in daedalus.new("blackhole").legal_moves} < set(question.words)
    assert question.files == {"save", "load"}


def test_resigning_gives_the_game_to_the_other_and_can_be_undone(tmp_path):
    table = Table(["resign", "b4-b3", f"save {tmp_path / 'games'}", "undo", "b4-b3"])
    out = table.run()
    assert "Blue wins: Red resigned" in out
    assert "'b4-b3': the game is over; undo takes a turn back" in out
    assert table.moves[:1] == ["b4-b3"]
    (record,) = read_records(tmp_path / "games")
    assert (record.result, record.tags["Reason"]) == ("-1 1", "Red resigned")


def test_a_saved_game_is_loaded_where_it_was(tmp_path):
    path = tmp_path / "my games"
    Table(["b4-b3", f"save {path}", "a5-d5", f"save {path}"]).run()
    first, second = read_records(path)
    assert (len(first.moves), len(second.moves)) == (2, 4)
    assert second.players == ["human", "first"] and second.remarks[1].value == 0.25
    table = Table([f"load {path} 1", f"load {path} 9"])
    out = table.run()
    assert table.moves == first.moves
    assert "has no game 9; it holds 2" in out
    table = Table([f"load {path}"])
    table.run()
    assert table.moves == second.moves


def test_a_path_that_cannot_be_written_loses_nothing(tmp_path, data_folder):
    table = Table(["b4-b3", f"save {tmp_path / 'no' / 'such' / 'folder'}", "save /", "a5-d5"])
    out = table.run(save=tmp_path / "neither" / "this")
    assert "there is no folder" in out and len(table.moves) == 4
    assert "not saved: there is no folder" in out
    (kept,) = data_folder.iterdir()
    assert [record.moves for record in read_records(kept)] == [table.moves]


def test_leaving_keeps_a_running_game_and_says_where(data_folder):
    out = Table(["b4-b3", "quit", "a5-d5"]).run()
    (kept,) = data_folder.iterdir()
    assert f"The game is kept in {kept}" in out and "`save FILE`" in out
    assert arguments.position_of(None, record=kept).text == "R...R/...R./.R*../..BB./B...B R"


def test_nothing_is_kept_when_nothing_was_played_or_it_is_saved_already(tmp_path, data_folder):
    Table(["quit"]).run()
    Table(["b4-b3", f"save {tmp_path / 'games'}", "quit"]).run()
    assert not data_folder.exists()


def test_an_interrupt_keeps_the_game_and_passes_on(data_folder):
    table = Table([])
    answers = iter(["b4-b3"])

    def ask(question):
        for answer in answers:
            return answer
        raise KeyboardInterrupt

    table.session.ask = ask
    with pytest.raises(KeyboardInterrupt):
        table.run()
    assert len(list(data_folder.iterdir())) == 1


@pytest.mark.parametrize(
    "agent, report",
    [
        ("broken", "Blue (broken) failed: RuntimeError: out of fuel"),
        ("cheat", "Blue (cheat) failed: 'a5-a5' is not a legal move here"),
        ("mad", "Blue (mad) failed: SystemExit: 3"),
    ],
)
def test_an_agent_that_fails_is_reported_and_its_seat_can_be_taken(agent, report):
    table = Table(["b4-b3", "what", "take", "b2-a2"], seats=("human", agent))
    out = table.run()
    assert report in out
    assert "'what': answer retry, take or resign" in out
    assert table.moves == ["b4-b3", "b2-a2"]


def test_an_agent_that_failed_once_may_be_asked_again_or_lose():
    table = Table(["b4-b3", "retry"], seats=("human", "broken"))
    table.run()
    assert len(table.moves) == 2
    table = Table(["b4-b3", "resign"], seats=("human", "broken"))
    assert "Red wins: Blue (broken) failed" in table.run()


def test_an_agents_first_move_may_take_longer():
    Timed.given.clear()
    table = Table([], seats=("timed", "human"))
    table.session.limit = Limit.parse("course")
    for _ in range(2):
        table.session._turn()
        table.session.position.push(table.session.position.legal_moves[0])
    assert Timed.given == [30.0, 2.0]


def test_agents_play_among_themselves_to_the_end_and_a_failure_forfeits(tmp_path):
    table = Table([], seats=("first", "first"))
    table.run(save=tmp_path / "games")
    (record,) = read_records(tmp_path / "games")
    assert table.session.outcome is not None and record.moves == table.moves and record.result != "*"
    table = Table([], seats=("broken", "first"))
    assert "Blue wins: Red (broken) failed" in table.run()


def test_after_the_end_undo_goes_on_and_enter_leaves():
    start = Position.from_text(daedalus.game("blackhole"), "R..../...../R.*BR/.B.../B...B R")  # Red has one home already
    table = Table(["a3-c3", "a5-a1", "undo", "a5-e5", "quit"], position=start)
    out = table.run()
    assert "Red wins: Red has 2 ships home" in out
    assert "'a5-a1': the game is over" in out
    assert table.moves[0] == "a5-e5"
    table = Table(["a3-c3", "", "undo"], position=Position.from_text(start.game, start.setup))
    table.run()
    assert table.moves == ["a3-c3"]


def test_seats_are_split_at_commas_that_separate_agents():
    game = daedalus.game("blackhole")
    assert arguments.seats_of("human,mcts:seconds=1,c=2", game) == ["human", "mcts:seconds=1,c=2"]
    assert arguments.seats_of("mc:a,b;human", game) == ["mc:a,b", "human"]
    assert arguments.seats_of(None, game)[0] == "human" and len(arguments.seats_of("random", game)) == 2
    for wrong in ("a,b,c", "human,,", ""):
        with pytest.raises(InvalidSpec):
            arguments.seats_of(wrong, game)


def test_a_session_refuses_another_number_of_players():
    with pytest.raises(InvalidSpec, match="2 seats, not 1"):
        Table([], seats=("human",))


def test_hidden_cards_are_shown_to_one_human_at_a_time():
    game = daedalus.game(f"{Path(__file__).parent / 'highcard.py'}:HighCard")
    table = Table(["", "1.", "", "*", "", "quit"], seats=("human", "human", "first"), position=Position(game, 1))
    table.run()
    assert [question.prompt for question in table.asked] == [
        "seat 0, take the screen and press Enter ",
        "seat 0> ",
        "seat 1, take the screen and press Enter ",
        "seat 1> ",
        "seat 0, take the screen and press Enter ",
        "seat 0> ",
    ]


def test_the_menu_can_be_left():
    answers = iter(["nothing like that", "q"])
    out = io.StringIO()
    with pytest.raises(EOFError):
        menu.choose(Screen(Console(file=out, width=120)), lambda question: next(answers))
    assert "or a name, q to leave" in out.getvalue()


def test_the_menu_asks_for_game_opponent_and_seat():
    answers = iter(["chess", "blackhole", "nosuch", "random", "Blue"])
    out = io.StringIO()
    chosen = menu.choose(Screen(Console(file=out, width=120)), lambda question: next(answers))
    assert chosen == ("blackhole", ["random", "human"])
    assert "'chess': answer with a number" in out.getvalue() and "unknown agent 'nosuch'" in out.getvalue()


def test_a_replay_steps_on_and_back():
    table = Table(["b4-b3", "a5-d5", "resign"])
    table.run()
    out = io.StringIO()
    answers = iter(["", "b", "b", "4", "", "x", "99", "q"])
    Replay(table.session.record(), Screen(Console(file=out, width=120))).walk(lambda question: next(answers))
    seen = [line for line in out.getvalue().splitlines() if " of 4" in line or line.startswith(("this", "'x'", "Result"))]
    assert [line.rpartition("ply ")[2] for line in seen] == [
        "0 of 4", "1 of 4", "0 of 4", "this is the start", "4 of 4", "Result -1 1: Red resigned", "this is the end",
        "'x': Enter, b, q or the number of a ply", "this is the end",
    ]  # fmt: skip


def test_positions_of_records_and_texts_exclude_each_other(tmp_path):
    path = tmp_path / "games"
    Table(["b4-b3", f"save {path}"]).run()
    assert len(arguments.position_of("blackhole", record=path, ply=1).history) == 1
    for wrong in ({"ply": 3}, {"text": "x"}, {"options": ["size=7"]}):
        with pytest.raises(DaedalusError):
            arguments.position_of("blackhole", record=path, **wrong)
    with pytest.raises(DaedalusError, match="holds a game of blackhole"):
        arguments.position_of("hex", record=path)


# --- a real terminal ------------------------------------------------------------------------------------------------


@needs_tmux
def test_the_prompt_completes_moves_commands_and_file_names(tmp_path):
    (tmp_path / "unusual-name.txt").touch()
    with Tmux([*PLAY, "blackhole", "--seats", "human,random", "--seed", "1"], environment(tmp_path / "data")) as terminal:
        terminal.wait("Red>", "12 legal moves")
        terminal.type("b4")
        terminal.wait("b4-b5", "b4-c4", "b4-b3", "b4-a4")
        terminal.type("-b3", "Enter")
        terminal.wait("ply 2", "Blue (random)")
        terminal.type("hlp")  # fuzzy
        terminal.wait("explains a move")
        terminal.type("C-u", f"load {tmp_path}/unus")
        terminal.wait("unusual-name.txt")
        terminal.type("C-u", "C-d")
        terminal.wait("The game is kept in")


@needs_tmux
def test_a_long_thought_is_shown_and_enter_or_ctrl_c_end_the_wait_not_the_game(tmp_path):
    seats = ["--seats", "human,mcts:seconds=300"]
    with Tmux([*PLAY, "quoridor", *seats], environment(tmp_path, LANG="C"), 70, 20) as terminal:
        shown = terminal.wait("White>", "ply 0")
        assert shown.isascii() and " B #" in shown  # a terminal that has ASCII alone
        terminal.enter("e2")
        terminal.wait("Black thinks, ", "(Enter: move now)   depth ")
        terminal.type("Enter")
        terminal.wait("ply 2", "White>", "Black (mcts:seconds=300) ")
        terminal.enter("e3")
        terminal.wait("Black thinks, ", "   depth ")
        terminal.type("C-c")
        terminal.wait("ply 4", "White>")
        terminal.type("C-c")
        assert "Traceback" not in terminal.ended()

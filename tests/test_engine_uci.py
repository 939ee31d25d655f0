"""The text dialect of `daedalus engine`: what each command does, and that none of them can break it."""

import queue
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import daedalus
from daedalus import Limit, Position
from daedalus.agents.engine_dialects import engine_spec
from daedalus.agents.uci import UciServer
from daedalus.agents.uci_text import Go, Setup, word_of, words

LONG = 500.0  # seconds in which whatever is due comes, also if it has to be compiled first on a busy machine

# An agent that thinks as long as it may, and counts what it is asked: a third argument says whether it can be watched.
THINKER = """
import time
from daedalus import Thought
from daedalus.core import Move

class Watched:
    def choose(self, view, limit, watch=None):
        end = time.monotonic() + (limit.seconds or 0.2)
        number = 0
        while time.monotonic() < end:
            number += 1
            thought = Thought(view.legal_moves[1], 0.25, simulations=number, note=f"for {limit.seconds}")
            if watch and watch(thought) is False:
                return thought
            time.sleep(0.01)
        return Thought(view.legal_moves[0], 0.5, simulations=number)

class Deaf:
    def choose(self, view, limit):
        time.sleep(limit.seconds or 0.2)
        return view.legal_moves[0]

class Failing:
    def prepare(self, game):
        pass
    def choose(self, view, limit):
        raise KeyError("lost my way")

class Cheating:
    def prepare(self, game):
        pass
    def choose(self, view, limit):
        return Thought(Move(12345, 'z9'))

class Slow:
    ready = False
    def prepare(self, game):
        time.sleep(0.5)
        Slow.ready = True
    def choose(self, view, limit):
        return Thought(view.legal_moves[0], note=f"ready {Slow.ready} for {limit.seconds}")

class Unwilling:
    def prepare(self, game):
        raise OSError("no weights here")
    def choose(self, view, limit):
        return view.legal_moves[0]
"""


class Talk:
    """Somebody who talks to an engine in this process."""

    def __init__(self, game: str, spec: str, **options: object) -> None:
        self._lines: queue.Queue[str] = queue.Queue()
        self._server = UciServer(daedalus.game(game, **options), spec, self._lines.put)

    def send(self, *commands: str | bytes) -> None:
        for command in commands:
            assert self._server.hear(command)

    def until(self, beginning: str) -> list[str]:
        """The lines up to one that begins so."""
        lines: list[str] = []
        while not lines or not lines[-1].startswith(beginning):
            lines.append(self._lines.get(timeout=LONG))
        return lines

    def ask(self, *commands: str, until: str = "bestmove") -> list[str]:
        self.send(*commands)
        return self.until(until)

    def nothing_for(self, seconds: float, kind: str) -> bool:
        """Does no line of this kind come for so long?"""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if self._lines.get(timeout=deadline - time.monotonic()).startswith(kind):
                    return False
            except (queue.Empty, ValueError):
                break
        return True

    def position(self) -> str:
        return next(line for line in self.ask("show", until="legal ") if line.startswith("position text "))

    def close(self, seconds: float | None = LONG) -> bool:
        return self._server.close(seconds)


@pytest.fixture
def talk() -> Iterator[Callable[..., Talk]]:
    talks: list[Talk] = []

    def begin(game: str = "blackhole", spec: str = "greedy", **options: object) -> Talk:
        talks.append(Talk(game, spec, **options))
        return talks[-1]

    threads = threading.active_count()
    yield begin
    assert all(each.close() for each in talks)
    assert threading.active_count() == threads


@pytest.fixture
def thinker(tmp_path: Path) -> str:
    (tmp_path / "thinker.py").write_text(THINKER)
    return str(tmp_path / "thinker.py")


def test_the_introduction_lists_options_with_types_and_bounds(talk: Callable[..., Talk]) -> None:
    lines = talk(spec="alphabeta:depth=3").ask("uci", until="uciok")
    assert re.fullmatch(r"id name Daedalus \S+ blackhole alphabeta:depth=3", lines[0])
    assert lines[1] == "id author the Daedalus project"
    assert set(lines) >= {
        "option name MultiPV type spin default 1 min 1 max 500",
        "option name Ponder type check default false",
        "option name agent.depth type spin default 3 min 0 max 64",
        "option name agent.simulations type spin default 0 min 0 max 1000000000000000",
        "option name agent.seconds type string default <empty> min 1e-06",
        "option name agent.full type check default false",
        "option name game.size type combo default 5 var 5 var 7 var 9",
        "option name game.hole type combo default stop var stop var pass",
        "option name game.cap type spin default 500 min 1 max 30000",
    }
    agents = next(line for line in lines if line.startswith("option name Agent"))
    assert agents.startswith("option name Agent type combo default alphabeta:depth=3 var alphabeta:depth=3 ")
    assert {"random", "greedy", "mcts", "perfect"} <= set(agents.split(" var ")) and "engine" not in agents


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("MultiPV", "3", "option name MultiPV type spin default 3 min 1 max 500"),
        ("multipv", "3", "option name MultiPV type spin default 3 min 1 max 500"),
        ("Move Overhead", "0", "option name Move Overhead type spin default 0 min 0 max 5000"),
        ("Seed", "2147483647", "option name Seed type spin default 2147483647 min 0 max 2147483647"),
        ("agent.depth", "5", "option name agent.depth type spin default 5 min 0 max 64"),
        ("agent.full", "true", "option name agent.full type check default true"),
        ("agent.seconds", "0.5", "option name agent.seconds type string default 0.5 min 1e-06"),
        ("game.size", "7", "option name game.size type combo default 7 var 5 var 7 var 9"),
        ("game.hole", "pass", "option name game.hole type combo default pass var stop var pass"),
        ("Ponder", "true", "option name Ponder type check default false"),  # it is always understood
    ],
)
def test_an_option_that_is_set_holds(talk: Callable[..., Talk], name: str, value: str, line: str) -> None:
    lines = talk(spec="alphabeta").ask(f"setoption name {name} value {value}", "uci", until="uciok")
    assert line in lines and not any("info" in line for line in lines)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("name MultiPV value 0", "wants a whole number from 1 to 500"),
        ("name MultiPV value -1", "wants a whole number"),
        ("name MultiPV value 99999999999999999999", "wants a whole number"),
        ("name MultiPV", "wants a whole number"),
        ("name agent.depth value 65", "1 to 64"),
        ("name agent.depth value x", "a whole number"),
        ("name agent.depth value 3,full=yes", "comma"),
        ("name game.size value 6", "takes 5|7|9"),
        ("name Agent value mine.py:Evil", "unknown agent"),
        ("name Agent value engine:./evil", "unknown agent"),
        ("name Elephants value 4", "unknown option 'Elephants'"),
        ("MultiPV 3", "write setoption name NAME value VALUE"),
        ("", "write setoption name NAME value VALUE"),
    ],
)
def test_an_option_that_cannot_be_set_is_refused_with_the_reason(talk: Callable[..., Talk], said: str, reason: str) -> None:
    engine = talk(spec="alphabeta")
    before = engine.ask("uci", until="uciok")
    (refusal,) = engine.ask(f"setoption {said}", until="info string")
    assert reason in refusal
    assert engine.ask("uci", until="uciok") == before


def test_another_agent_and_other_rules_play_on(talk: Callable[..., Talk]) -> None:
    engine = talk(spec="alphabeta")
    assert "agent.eval" in "\n".join(engine.ask("setoption name Agent value greedy", "uci", until="uciok"))
    assert engine.ask("go depth 1")[-1] != "bestmove (none)"
    engine.send("position startpos moves b4-b3", "setoption name game.size value 7")
    assert engine.position() == f"position text {daedalus.new('blackhole', size=7).text}"
    move = engine.ask("go depth 1")[-1].split()[1]
    assert move in daedalus.new("blackhole", size=7).legal_moves


def test_an_option_of_the_agent_that_is_unset_is_as_its_spec_has_it(talk: Callable[..., Talk]) -> None:
    engine = talk(spec="alphabeta:depth=3")
    for value, depth in (("5", 5), ("0", 3), ("4", 4), ("<empty>", 3)):
        lines = engine.ask(f"setoption name agent.depth value {value}", "uci", until="uciok")
        assert f"option name agent.depth type spin default {depth} min 0 max 64" in lines


def test_a_position_is_the_start_or_a_text_and_the_moves_from_there(talk: Callable[..., Talk]) -> None:
    engine, expected = talk(), daedalus.new("blackhole")
    assert engine.position() == f"position text {expected.text}"
    engine.send("position startpos moves b4-b3   a1-a4")
    middle = expected.copy()
    for move in ("b4-b3", "a1-a4"):
        middle.push(move)
    assert engine.position() == f"position text {middle.text}"
    engine.send(f"position text {expected.text} moves b4-b3 a1-a4")
    assert engine.position() == f"position text {middle.text}"
    engine.send(f"position text {middle.text}")
    assert engine.position() == f"position text {middle.text}"
    engine.send("ucinewgame")
    assert engine.position() == f"position text {expected.text}"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("startpos moves b4-b3 a1-a9", "there is no square a9"),
        ("startpos moves a1-a4", "Red has no ship on a1"),
        ("text R...R/.R.R. R", "rows"),
        ("text moves b4-b3", "write position startpos"),
        ("fen x", "write position startpos"),
        ("", "write position startpos"),
        ("startpos history b4-b3", "history is for games with hidden cards"),
    ],
)
def test_a_position_that_cannot_be_is_refused_and_the_last_one_stays(talk: Callable[..., Talk], said: str, reason: str) -> None:
    engine = talk()
    engine.send("position startpos moves b4-b3")
    before = engine.position()
    (refusal,) = engine.ask(f"position {said}", until="info string")
    assert reason in refusal
    assert engine.position() == before


def test_a_start_that_chance_decides_is_dealt_and_told(talk: Callable[..., Talk]) -> None:
    engine = talk("colosseum", "walk")
    (told,) = engine.ask("position startpos", until="info string dealt: ")
    text = told.removeprefix("info string dealt: position text ")
    assert engine.position() == f"position text {text}"
    assert "is dealt" in engine.ask("position startpos moves 1,1u", until="info string")[0]
    move = Position.from_text(daedalus.game("colosseum"), text).legal_moves[0]
    engine.send(f"position text {text} moves {move}")
    assert engine.position() != f"position text {text}"


def test_a_search_tells_what_it_finds_and_answers_once(talk: Callable[..., Talk]) -> None:
    engine, position = talk(spec="alphabeta"), daedalus.new("blackhole")
    lines = engine.ask("setoption name MultiPV value 3", "setoption name agent.full value true", "isready", "go depth 3")
    assert lines.pop(0) == "readyok"
    infos = [
        re.fullmatch(
            r"info depth (\d+) multipv (\d) score value (\S+) nodes \d+ nps \d+ (?:visits \d+ )?time \d+ pv (.*)", line
        )
        for line in lines[-4:-1]
    ]
    assert [int(info[2]) for info in infos if info] == [1, 2, 3]
    assert all(int(info[1]) == 3 for info in infos if info)
    values = [float(info[3]) for info in infos if info]
    assert values == sorted(values, reverse=True) and all(-1 <= value <= 1 for value in values)
    moves = [info[4].split()[0] for info in infos if info]
    assert len(set(moves)) == 3 and all(move in position.legal_moves for move in moves)
    word, move, *expected = lines[-1].split()
    assert (word, move) == ("bestmove", moves[0])
    position.push(move)
    assert not expected or (expected[0] == "ponder" and expected[1] in position.legal_moves)
    assert engine.nothing_for(0.3, "bestmove")


def test_the_game_is_over_and_there_is_no_best_move(talk: Callable[..., Talk]) -> None:
    engine = talk(spec="random", cap=1)
    lines = engine.ask("position startpos moves b4-b3", "go depth 1")
    assert "the game is over" in lines[0] and lines[-1] == "bestmove (none)"
    assert any(line.startswith("over ") and line.endswith(": 0 0") for line in engine.ask("show", until="over"))


def test_nothing_is_got_ready_on_the_clock(talk: Callable[..., Talk], thinker: str) -> None:
    engine = talk(spec=f"{thinker}:Slow")
    engine.send("go movetime 100", "isready")  # nobody waited: the search gets ready first, and answers both
    lines = engine.until("bestmove")
    assert lines[0] == "readyok" and "ready True for 0.09" in lines[1]
    engine.send("isready")
    assert engine.until("readyok") == ["readyok"]


def test_an_agent_that_cannot_get_ready_says_why(talk: Callable[..., Talk], thinker: str) -> None:
    engine = talk(spec=f"{thinker}:Unwilling")
    assert sorted(engine.ask("isready", until="readyok") + engine.until("info")) == [
        "info string OSError: no weights here",
        "readyok",
    ]
    assert engine.ask("go")[-1] == "bestmove (none)"


def test_an_infinite_search_answers_when_it_is_stopped_with_what_it_showed_last(
    talk: Callable[..., Talk], thinker: str
) -> None:
    engine = talk(spec=f"{thinker}:Watched")
    engine.ask("isready", until="readyok")
    engine.send("go infinite")
    assert engine.nothing_for(0.4, "bestmove")
    lines = engine.ask("stop")
    assert "score value 0.25" in lines[-2] and lines[-1].split()[1] == "a5-a2"  # the second move, of what it showed
    engine.send("stop")
    assert engine.nothing_for(0.1, "")


def test_a_search_that_ends_before_it_is_stopped_waits_with_its_answer(talk: Callable[..., Talk]) -> None:
    engine = talk(spec="greedy")
    engine.send("go infinite")
    assert engine.until("info")
    assert engine.nothing_for(0.3, "bestmove")
    assert engine.ask("isready", until="readyok") == ["readyok"]
    assert engine.ask("stop")[-1].split()[1] in daedalus.new("blackhole").legal_moves


def test_pondering_ends_with_the_limit_counted_from_the_hit(talk: Callable[..., Talk], thinker: str) -> None:
    engine = talk(spec=f"{thinker}:Watched")
    engine.ask("isready", until="readyok")
    engine.send("go ponder movetime 300")
    assert engine.nothing_for(0.6, "bestmove")  # longer than the limit
    begun = time.monotonic()
    lines = engine.ask("ponderhit")
    assert time.monotonic() - begun > 0.1  # it did not end with the hit
    assert int(re.search(r" nodes (\d+)", lines[-2])[1]) > 10  # type: ignore[index]
    engine.send("go ponder movetime 300")
    assert engine.ask("stop")[-1].startswith("bestmove ")


def test_pondering_that_has_ended_answers_at_the_hit(talk: Callable[..., Talk]) -> None:
    engine = talk(spec="greedy")
    engine.send("go ponder nodes 5")
    assert engine.until("info") and engine.nothing_for(0.3, "bestmove")
    assert engine.ask("ponderhit")[-1].startswith("bestmove ")


def test_while_it_thinks_only_a_stop_lets_anything_change(talk: Callable[..., Talk], thinker: str) -> None:
    engine = talk(spec=f"{thinker}:Watched")
    engine.ask("isready", until="readyok")
    engine.send("go infinite")
    for command in ("go", "position startpos", "setoption name MultiPV value 2", "ucinewgame"):
        lines = engine.ask(command, until="info string")
        assert lines[-1] == f"info string {command.split()[0]}: the engine is thinking; send stop first"
    assert engine.ask("isready", until="readyok")[-1] == "readyok"
    # without waiting for the answer: what follows a stop comes after it
    engine.send("stop", "position startpos moves b4-b3", "go movetime 50")
    assert engine.until("bestmove")[-1].split()[1] == "a5-a2"
    after = daedalus.new("blackhole")
    after.push("b4-b3")
    assert engine.until("bestmove")[-1].split()[1] in after.legal_moves


def test_an_agent_that_takes_no_watch_is_waited_for(talk: Callable[..., Talk], thinker: str) -> None:
    engine = talk(spec=f"{thinker}:Deaf")
    engine.ask("isready", until="readyok")
    engine.send("go movetime 500")
    assert "cannot be stopped" in engine.ask("stop", until="info string")[0]
    assert engine.until("bestmove")[-1].split()[1] == "a5-d5"
    engine.send("go infinite")  # it is not told to think for ever
    assert engine.until("info") and engine.nothing_for(0.1, "bestmove")
    assert engine.ask("stop")[-1].split()[1] == "a5-d5"


def test_an_agent_that_fails_or_cheats_has_no_best_move_and_the_engine_lives(talk: Callable[..., Talk], thinker: str) -> None:
    for agent, reason in (("Failing", "KeyError: 'lost my way'"), ("Cheating", "the agent chose z9, which is not legal")):
        engine = talk(spec=f"{thinker}:{agent}")
        for _ in range(2):
            lines = engine.ask("go nodes 1")
            assert lines[-1] == "bestmove (none)" and reason in lines[-2]
        assert engine.ask("isready", until="readyok")


def test_what_cannot_be_understood_is_one_line_and_nothing_more(talk: Callable[..., Talk]) -> None:
    engine = talk()
    for said in (
        b"\xff\xfe\x00",
        b"x" * 1_000_001,
        "xyzzy 1 2",
        "go movetime",
        "go movetime -5",
        "go depth 0",
        "go nodes 1e9",
        "go fast",
    ):
        assert len(engine.ask(said, "isready", until="readyok")) == 2, said  # type: ignore[arg-type]
    for said in ("", "   ", "\t\r\n", "stop", "ponderhit"):
        assert engine.ask(said, "isready", until="readyok") == ["readyok"]
    assert engine.ask("  go \t nodes   1 \r\n")[-1] != "bestmove (none)"


@settings(deadline=None, derandomize=True, max_examples=60, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["position", "setoption", "go depth 1", "stop", "show", "uci", "ponderhit", "ucinewgame", ""]),
            st.text(max_size=8)
            | st.sampled_from(["startpos moves", "text", "name Agent value", "moves", "name game.size value 7"]),
            st.text(max_size=8) | st.sampled_from(["b4-b3", "\x1b[31m", '"', '"\\ud800"', "9" * 5000]),
        ),
        max_size=6,
    )
)
def test_no_command_breaks_the_engine(commands: list[tuple[str, str, str]]) -> None:
    engine = Talk("blackhole", "random")
    for command in commands:
        said = " ".join(command).replace("quit", "quiet")
        engine.send(said.encode("utf-8", "surrogatepass"))
    lines = engine.ask("stop", "isready", until="readyok")
    assert all("\n" not in line and "\x1b" not in line for line in lines)
    assert engine.close()


def test_closing_ends_a_search_that_would_go_on_for_ever(talk: Callable[..., Talk], thinker: str) -> None:
    engine = talk(spec=f"{thinker}:Watched")
    engine.ask("isready", until="readyok")
    engine.send("go infinite")
    engine.until("info")
    assert engine.close()
    assert engine.until("bestmove")


def test_a_move_with_blanks_is_one_word_in_quotes() -> None:
    for move in ("e2", "W1L0-0,1", "two words", 'say "x"', '"', ""):
        assert words(f"a {word_of(move)} b") == ["a", move, "b"]
    assert Setup.parse('text x  y moves "two words" z') == Setup("x  y", ("two words", "z"))


def test_clocks_are_shared_out() -> None:
    go = Go.parse("wtime 31000 btime 62000 winc 100 binc 0")
    assert go.limit(0, 0).seconds == pytest.approx(31000 / 31 / 1000 + 0.075)
    assert go.limit(1, 10).seconds == pytest.approx(2.0 - 0.010)
    assert go.limit(2, 0) == Limit()  # a seat without a clock
    assert Go.parse("wtime 1000 winc 9000 btime 1").limit(0, 0).seconds == 0.5  # never more than half of what is left
    assert Go.parse("wtime 0 btime 0").limit(0, 10).seconds == 0.001
    assert Go.parse("movetime 1000 nodes 5 depth 2").limit(0, 10) == Limit(0.99, 5, 2)
    assert Go.parse("movetime 10").limit(0, 10).seconds == 0.005


@pytest.mark.parametrize("name", ["labyrinth", "saboteur"])
def test_in_a_hidden_game_the_text_of_a_view_is_all_the_engine_needs(talk: Callable[..., Talk], name: str) -> None:
    engine, truth = talk(name, "random"), daedalus.new(name, seed=5)
    for _ in range(12):
        view = truth.view()
        history = " ".join(map(str, truth.history))
        engine.send(f"position text {view.text}" + (f" history {history}" if history else ""))
        assert engine.position() == f"position text {view.text}"
        line = engine.ask("go nodes 1")[-1]
        assert " ponder " not in line
        truth.push(line.split()[1])
    assert not any("Ponder" in line for line in engine.ask("uci", until="uciok"))
    for refused in ("go ponder", f"position text {view.text} moves {truth.history[0]}"):
        assert "hidden" in engine.ask(refused, until="info string")[0]
    if name == "saboteur":  # the hand of the seat to move is unknown to the other
        other = truth.view(1 - truth.turn).text
        assert "hides what the seat to move knows" in engine.ask(f"position text {other}", until="info string")[0]


@pytest.mark.parametrize("name", ["labyrinth", "saboteur"])
def test_an_agent_of_a_hidden_game_never_sees_what_a_text_tells_too_much(
    talk: Callable[..., Talk], name: str, tmp_path: Path
) -> None:
    (tmp_path / "peeping.py").write_text(
        "from daedalus import Thought\n"
        "class Peeping:\n"
        "    def prepare(self, game): pass\n"
        "    def choose(self, view, limit):\n"
        "        return Thought(view.legal_moves[0], note=' '.join(view.game.position_text(view.state, None).split()))\n"
    )
    engine, truth = talk(name, f"{tmp_path / 'peeping.py'}:Peeping"), daedalus.new(name, seed=5)
    notes = [engine.ask(f"position text {text}", "go")[-2].partition(" string ")[2] for text in (truth.text, truth.view().text)]
    assert notes[0] and notes[0] == notes[1] != " ".join(truth.text.split())[: len(notes[0])]


def test_who_plays_when_nobody_is_named_thinks_as_long_as_he_is_asked_to() -> None:
    for name in daedalus.game_names():
        assert "seconds" not in engine_spec(daedalus.game(name))
    assert engine_spec(daedalus.game("quoridor")) == "expert"
    assert engine_spec(daedalus.game("quoridor", players=4)) == "mcts"

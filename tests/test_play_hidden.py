"""Games with hidden cards at a terminal: while one runs, nobody reads what his seat may not know; when it is over, all do.

Twins are two games that a seat cannot tell apart. Whatever differs on the screen between them is a leak.
"""

import io
import json
import os
import re
import stat
import sys

import pytest
from rich.console import Console
from tmux import PLAY, Tmux, environment, needs_tmux

import daedalus
from daedalus import Agent, DaedalusError, Position, Thought
from daedalus.core.record import Record, read_records
from daedalus.core.record_text import Remark
from daedalus.core.seeds import derive, secret_for
from daedalus.terminal import arguments, hidden
from daedalus.terminal.input import Question
from daedalus.terminal.replay import Replay, data
from daedalus.terminal.screen import Screen
from daedalus.terminal.session import Session

SABOTEUR = daedalus.game("saboteur")
# Nothing left to draw, so that the twins stay twins whatever is played.
MINE = "0 | 0 0 | 000 000 000 | n p p | 6 9 10 4 3 8 map | 0 0 5 5 6 7 malus | | 6,5:0"
OTHER = "0 | 0 0 | 000 000 000 | p p n | 6 9 10 4 3 8 map | 9 8 destroy bonus 0 7 1 | | 6,5:0"


def saboteurs():
    return Position.from_text(SABOTEUR, MINE), Position.from_text(SABOTEUR, OTHER)


def seekers(**options):
    """Two games of Labyrinth that are the same to Red, and not to who sees all."""
    truth = Position(daedalus.game("labyrinth", **options), 3)
    for seed in range(100):
        other = truth.view(0, seed)
        other.seat = None  # an imagined deal taken for a true one
        if (str(other), other.summary) != (str(truth), truth.summary):
            return Position.from_text(truth.game, truth.text), Position.from_text(truth.game, other.text)
    raise AssertionError("nothing is hidden")


TWINS = {
    "saboteur": saboteurs,
    "labyrinth": seekers,
    "three": lambda: seekers(players=3),
    "four": lambda: seekers(players=4, goals="own"),
}


def course(one, two, plies):
    """Moves that go with both twins and show seat 0 nothing that differs."""
    one, two, turn, moves = one.copy(), two.copy(), one, []
    for _ in range(plies):
        turn = one.copy() if one.turn == 0 else turn  # to which an undo goes back
        for move in map(str, one.legal_moves):
            if move not in two.legal_moves:
                continue
            after = one.copy(), two.copy()
            for position in after:
                position.push(move)
            if after[0].view(0).bits == after[1].view(0).bits and not hidden.learned(turn, after[0], 0):
                one, two = after
                moves.append(move)
                break
        else:
            raise AssertionError("the twins part")
    return moves


class Boaster(Agent):
    """Plays given moves by ply, tells its cards in every way, fails at its third move, then names a move it does not have."""

    moves: list[str] = []
    faults = ("boast", "cheat")

    def choose(self, view, limit=None):
        cards = f"{view.text} {' '.join(map(str, view.legal_moves))}"
        ply = len(view.history)
        if ply >= 3 * view.game.SEATS and self.faults:
            fault, self.faults = self.faults[0], self.faults[1:]
            if fault == "boast":
                raise RuntimeError(cards)
            return Thought("no such move")
        move = self.moves[ply] if ply < len(self.moves) else view.legal_moves[0]
        return Thought(move, value=hash(cards) % 1000 / 1000, note=cards, line=(cards,), simulations=len(cards), seconds=0.5)


class Sitting:
    """A session with scripted lines: what it asked, and what it had printed before each question and at the end."""

    def __init__(self, lines, position, seats, moves=(), console=None):
        self.out = io.StringIO()
        self.asked: list[Question] = []
        self.printed: list[str] = []
        self.seeds: list[int] = []
        self._lines, self._moves = iter(lines), list(moves)
        screen = Screen(console or Console(file=self.out, width=150))
        self.session = Session(position, seats, screen, self._answer, make=self._make, secret=b"s")

    def _make(self, spec, game, seed):
        agent = Boaster()
        agent.moves, agent.spec = self._moves, spec
        if spec != "boaster":  # an adviser
            agent.faults = ()
        self.seeds.append(seed)
        return agent

    def _answer(self, question):
        self.asked.append(question)
        self.printed.append(self.out.getvalue())
        line = next(self._lines, None)
        if line is None:
            raise EOFError
        return line

    def run(self, save=None):
        self.session.run(save)
        return self.out.getvalue()


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "daedalus" / "games"


# --- one human among agents -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("twins", TWINS.values(), ids=TWINS)
def test_what_a_human_reads_does_not_depend_on_what_the_seat_cannot_know(twins, tmp_path):
    pair = twins()
    seats = pair[0].game.SEATS
    assert pair[0].view(0).bits == pair[1].view(0).bits and pair[0].text != pair[1].text
    moves = course(*pair, 5 * seats)
    own = moves[::seats]
    script = ["help", "moves", "hint", "zzz", "0@0,0", own[0], "moves", "board", "undo", own[0], f"save {tmp_path / 'games'}"]
    script += [own[1], own[2], own[3], "what", *["retry", "retry"] * (seats - 1), "hint", "moves", "nonsense", "undo", own[3]]
    sittings = []
    for position in pair:
        sitting = Sitting([*script, "resign", "moves", "undo", ""], position, ["human"] + ["boaster"] * (seats - 1), moves)
        sitting.run()
        sittings.append(sitting)
    one, two = sittings
    assert one.asked == two.asked
    over = next(place for place, question in enumerate(one.asked) if question.prompt == "over> ")
    assert one.printed[over - 1] == two.printed[over - 1]
    seen = one.printed[over - 1]
    assert "failed: RuntimeError\n" in seen and "failed: IllegalMove\n" in seen and "Taken back" in seen and "Hint (" in seen
    assert one.printed[over] != two.printed[over]  # the cards lie open now
    assert "no such move" in one.out.getvalue()
    (first, *_) = one.session.position.game.SEAT_NAMES
    assert {question.prompt for question in one.asked if set(question.words) & set(moves)} <= {f"{first}> "}


def test_a_resigned_game_lies_open_and_is_not_taken_up_again():
    sitting = Sitting(["resign", "moves", "hint", "undo", "drop:a", ""], saboteurs()[0], ["human", "boaster"])
    out = sitting.run()
    assert "0 0 5 5 6 7 malus" not in sitting.printed[0]
    assert "Blue wins: Red resigned" in out and "there are none" in out and "there is no move to hint at" in out
    assert "cannot be taken back" in out and "'drop:a': the game is over\n" in out
    assert sitting.session.outcome and not sitting.session.position.history
    assert "malus" in sitting.printed[1] and "malus" not in sitting.printed[0]
    assert "drop:a" not in sitting.asked[-1].words  # nothing to complete after the end


def test_a_failing_agent_may_be_left_without_deciding_its_game(data_folder):
    pair = saboteurs()
    moves = course(*pair, 10)
    sitting = Sitting([moves[0], moves[2], moves[4], moves[6]], pair[0], ["human", "boaster"], moves)
    sitting.run()  # the input ends at the question what to do
    assert sitting.asked[-1].prompt == "retry, take or resign? " and sitting.session.outcome is None
    (kept,) = data_folder.iterdir()
    assert [record.result for record in read_records(kept)] == ["*"]


def test_who_watched_agents_with_open_cards_cannot_take_a_seat():
    sitting = Sitting(["take", "resign"], saboteurs()[0], ["boaster", "boaster"], ["drop:a"] * 9)
    out = sitting.run()
    assert sitting.asked[0].prompt == "retry or resign? " and "'take': answer retry or resign" in out
    assert "value" in out  # nobody plays, so nothing is secret


def test_undo_does_not_go_back_behind_a_card_that_was_seen():
    drawn = Position(SABOTEUR, 5)
    sitting = Sitting(["drop:a", "undo", "quit"], drawn, ["human", "boaster"], ["", "drop:a"])
    assert "hidden has been learnt since" in sitting.run() and len(sitting.session.position.history) == 2
    shown = Position.from_text(SABOTEUR, MINE)
    sitting = Sitting(["map@12,3", "undo", "quit"], shown, ["human", "boaster"], ["", "drop:a"])
    assert "hidden has been learnt since" in sitting.run() and len(sitting.session.position.history) == 2
    nothing = Position.from_text(SABOTEUR, MINE)
    sitting = Sitting(["drop:a", "undo", "quit"], nothing, ["human", "boaster"], ["", "drop:a"])
    assert "Taken back" in sitting.run() and not sitting.session.position.history


def test_a_goal_found_in_labyrinth_tells_the_next_and_stands():
    dealt = Position(daedalus.game("labyrinth"), 3, dealing=1).text
    near = Position.from_text(daedalus.game("labyrinth"), dealt.replace("R:|kwda", "R:|awdk"))  # Red can reach a
    after = {move: pushed(near, move) for move in map(str, near.legal_moves)}
    found = [move for move in after if after[move].summary.startswith("Red 1/12")]
    missed = [move for move in after if move not in found]
    assert found and hidden.learned(near, after[found[0]], 0) and not hidden.learned(near, after[missed[0]], 0)


def pushed(position, move):
    after = position.copy()
    after.push(move)
    return after


# --- several humans at one screen -----------------------------------------------------------------------------------


def test_people_at_one_screen_see_it_in_turn_behind_a_page():
    lines = ["", "drop:a", "", "moves", "drop:a", "", "quit"]
    sitting = Sitting(lines, saboteurs()[0], ["human", "human"])
    out = sitting.run()
    page = "{}, take the screen and press Enter "
    prompts = [page.format("Red"), "Red> ", page.format("Blue"), "Blue> ", "Blue> ", page.format("Red"), "Red> "]
    assert [question.prompt for question in sitting.asked] == prompts
    reds, blues = sitting.printed[1], sitting.printed[4][len(sitting.printed[2]) :]
    assert "malus" not in reds and "a: 0" in blues and "malus" in blues and "map" not in blues
    assert sitting.printed[0].count("a: ") == 0  # nobody's cards before somebody took the screen
    for place in (0, 2, 5):  # where nothing can be wiped, nothing of the one before is in sight
        assert sitting.printed[place].endswith("\n" * 60)
    assert out.endswith("Red drop:a   Blue drop:a\n") or "Red drop:a" in out[len(sitting.printed[-1]) :]
    assert "map" not in out[len(sitting.printed[-1]) :].partition("kept in")[0]


def test_agents_between_people_find_nobodys_cards_on_the_screen():
    position = seekers(players=3)[0]
    moves = course(*seekers(players=3), 3)
    sitting = Sitting(["", moves[1], "", "quit"], position, ["boaster", "human", "human"], moves)
    sitting.run()
    before_anybody = sitting.printed[0]
    assert "looks for" not in before_anybody and "extra" not in before_anybody


def test_a_seat_taken_from_an_agent_is_another_persons():
    pair = saboteurs()
    moves = course(*pair, 10)
    sitting = Sitting([moves[0], moves[2], moves[4], moves[6], "take", "", "quit"], pair[0], ["human", "boaster"], moves)
    sitting.run()
    assert [question.prompt for question in sitting.asked[-3:]] == [
        "retry, take or resign? ", "Blue, take the screen and press Enter ", "Blue> ",
    ]  # fmt: skip


def test_what_one_person_typed_is_not_offered_to_another():
    sitting = Sitting(["", "drop:a", "", "quit"], saboteurs()[0], ["human", "human"])
    sitting.run()
    assert [question.whom for question in sitting.asked] == ["", "Red", "", "Blue"]


ALTERNATE = re.compile(r"\x1b\[\?1049([hl])")  # to the alternate screen and back
REDS, BLUES = ("6f", "9f", "map"), ("malus", "bonus", "destroy")  # what only one hand shows
DISTINCT = "0 | 0 0 | 000 000 000 | n p p | 6 9 10 4 3 8 map | 0 malus bonus destroy 0 8 1 | | 6,5:0"


def words_in(sent):
    """What was written, without what steers the terminal."""
    return re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|[()].|.)", "", sent)


@needs_tmux
def test_a_shared_terminal_never_shows_one_hand_to_the_other_and_keeps_none(tmp_path):
    """Of all that the terminal was sent: while one looks nothing of the other hand, outside the alternate screen neither."""
    raw = tmp_path / "output"
    command = [*PLAY, "saboteur", "--seats", "human,human", "--position", DISTINCT]
    with Tmux(["sh", "-c", 'echo earlier; "$@"; echo later', "sh", *command], environment(tmp_path), output=raw) as terminal:
        for name, own, move in (("Red", REDS, "drop:g"), ("Blue", BLUES, "drop:b")):  # the map, the malus
            page = terminal.wait(f"{name}, take the screen")
            assert not any(card in page for card in REDS + BLUES) and "earlier" not in page
            terminal.enter("")
            assert all(card in terminal.wait(f"{name}>") for card in own)
            terminal.enter("moves")
            terminal.wait("Enter goes back")
            terminal.enter("")
            terminal.wait(f"{name}>", "ply")
            terminal.enter("hint")
            terminal.wait("Hint (")
            terminal.enter(move)
        terminal.wait("Red, take the screen")
        terminal.type("C-d")
        terminal.wait("The game is kept in", "Red drop:g", "Blue drop:b", "later")
        kept = terminal.call("capture-pane", "-p", "-S", "-")
        terminal.ended()
    sent = raw.read_text(errors="replace")
    reds, blues = sent.index("Red, take the screen"), sent.index("Blue, take the screen")
    again = sent.index("Red, take the screen", blues)
    for part, own, others in (
        (sent[:reds], (), REDS + BLUES),
        (sent[reds:blues], REDS, BLUES),
        (sent[blues:again], BLUES, REDS),
    ):
        assert all(card in words_in(part) for card in own) and not any(card in words_in(part) for card in others)
    assert not any(card in words_in(sent[again:]) for card in REDS + BLUES)
    before, *parts = ALTERNATE.split(sent)
    outside = before + "".join(text for way, text in zip(parts[::2], parts[1::2], strict=True) if way == "l")
    for left in (kept, outside):
        assert "earlier" in left and "later" in left and not any(card in words_in(left) for card in REDS + BLUES)


# --- recorded games -------------------------------------------------------------------------------------------------


def recorded(position, players, moves, result=None):
    position = position.copy()
    remarks = [Remark(seconds=1.0, value=0.125 + ply, text="cards") for ply, _ in enumerate(moves)]
    for move in moves:
        position.push(move)
    return Record.from_position(position, players, remarks=remarks, result=result, reason=result and "resigned")


def printed(show):
    out = io.StringIO()
    show(Screen(Console(file=out, width=150)))
    return out.getvalue()


@pytest.mark.parametrize("twins", TWINS.values(), ids=TWINS)
def test_a_running_record_is_replayed_shown_and_analysed_as_its_human_knows_it(twins, tmp_path):
    pair = twins()
    seats = pair[0].game.SEATS
    moves = course(*pair, 2 * seats)
    told = []
    for number, position in enumerate(pair):
        record = recorded(position, ["human"] + ["random"] * (seats - 1), moves)
        path = tmp_path / f"{number}.txt"
        path.write_text(record.text)
        seat = hidden.onlooker(record, None)
        assert seat == 0
        seen = arguments.seen_by(None, None, record=path)
        told.append([
            printed(lambda screen, record=record: Replay(record, screen, 0, 0).run_through()),
            json.dumps(data(record, None, seat)),
            json.dumps(data(record, 1, seat)),
            seen.text + seen.svg() + str(seen) + repr(hidden.for_analysis(seen)),
            arguments.seen_by(None, None, record=path, ply=1).text,
        ])  # fmt: skip
    assert told[0] == told[1]
    assert "Setup" not in told[0][1] and "0.125" in told[0][1] and "1.125" not in told[0][1]
    assert "1.125" not in told[0][0]
    with pytest.raises(DaedalusError, match="to move, and an analysis would tell its cards"):
        hidden.for_analysis(arguments.seen_by("0", None, record=path, ply=1))


def test_a_finished_record_shows_all_and_a_shared_one_asks_who_looks():
    position = saboteurs()[0]
    over = recorded(position, ["human", "random"], ["drop:a"], result=(-1.0, 1.0))
    assert hidden.onlooker(over, None) is None and "malus" in printed(lambda screen: Replay(over, screen).draw())
    assert hidden.onlooker(over, "Blue") == 1
    shared = recorded(position, ["human", "human"], ["drop:a"])
    with pytest.raises(DaedalusError, match="say who looks, --view Red or --view Blue"):
        hidden.onlooker(shared, None)
    assert hidden.onlooker(shared, "1") == 1
    assert hidden.onlooker(recorded(position, ["random", "random"], []), None) is None


def command(capsys, monkeypatch, *arguments):
    """(exit code, what a command printed, what it complained about)"""
    from daedalus.cli import main

    monkeypatch.setattr(sys, "argv", ["daedalus", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    captured = capsys.readouterr()
    return end.value.code, captured.out, captured.err


def test_commands_about_a_running_record_tell_no_hidden_cards(tmp_path, capsys, monkeypatch):
    told = []
    for number, position in enumerate(saboteurs()):
        path = tmp_path / f"{number}.txt"
        path.write_text(recorded(position, ["human", "random"], ["drop:a", "drop:a"]).text)
        said = []
        for words in (
            ["replay", path],
            ["replay", path, "--json"],
            ["show", "--record", path, "--moves"],
            ["show", "--record", path, "--json", "--svg", tmp_path / "board.svg"],
            ["analyse", "--record", path, "--agent", "random", "--json"],
        ):
            code, out, _ = command(capsys, monkeypatch, *words)
            assert code == 0 and "malus" not in out
            said.append(json.loads(out) | {"seconds": 0} if out.startswith("{") else out)
        told.append([*said, (tmp_path / "board.svg").read_text()])
    assert told[0] == told[1]
    shared = tmp_path / "shared.txt"
    shared.write_text(recorded(saboteurs()[0], ["human", "human"], ["drop:a"]).text)
    for words in (["replay", shared], ["show", "--record", shared], ["analyse", "--record", shared]):
        code, out, err = command(capsys, monkeypatch, *words)
        assert (code, out) == (2, "") and "say who looks, --view Red or --view Blue" in err
    code, out, _ = command(capsys, monkeypatch, "replay", shared, "--view", "Blue", "--json")
    assert "0 0 5 5 6 7 malus" in out and "6 9 10" not in out
    code, out, err = command(capsys, monkeypatch, "analyse", "--record", shared, "--view", "Red")
    assert (code, out) == (2, "") and "Blue is to move" in err


def test_people_go_on_in_the_seats_where_they_sat(tmp_path):
    game = SABOTEUR
    record = recorded(saboteurs()[0], ["random", "human"], ["drop:a"])
    assert arguments.seats_in(record, game) == ["random", "human"]
    code = recorded(saboteurs()[0], ["evil.py:Agent", "human"], [])
    engine = recorded(saboteurs()[0], ["engine:rm -rf", "human"], [])
    for record in (code, engine):  # a record does not start programs
        assert arguments.seats_in(record, game) == [*arguments.seats_of(None, game)[1:], "human"]
    path = tmp_path / "games"
    path.write_text(recorded(saboteurs()[0], ["random", "human"], ["drop:a"]).text)
    sitting = Sitting([f"load {path}", "quit"], saboteurs()[0], ["human", "boaster"])
    assert "other seats are played by people in that game" in sitting.run()
    assert not sitting.session.position.history


def test_a_hidden_game_goes_on_where_it_stands_and_not_after_its_end(tmp_path):
    running = recorded(saboteurs()[0], ["human", "random"], ["drop:a", "drop:a"])
    assert len(arguments.to_play(None, None, None, 1, running, None).history) == 2
    with pytest.raises(DaedalusError, match="leave --ply out"):
        arguments.to_play(None, None, None, 1, running, 0)
    resigned = recorded(saboteurs()[0], ["human", "random"], ["drop:a"], result=(-1.0, 1.0))
    with pytest.raises(DaedalusError, match="its cards are known"):
        arguments.to_play(None, None, None, 1, resigned, None)
    path = tmp_path / "games"
    path.write_text(resigned.text)
    assert "its cards are known" in Sitting([f"load {path}"], saboteurs()[0], ["human", "boaster"]).run()


def test_a_kept_game_is_for_its_owners_eyes(data_folder):
    before = os.umask(0)
    try:
        Sitting(["drop:a", "quit"], saboteurs()[0], ["human", "boaster"], ["", "drop:a"]).run()
    finally:
        os.umask(before)
    (kept,) = data_folder.iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


# --- seeds ----------------------------------------------------------------------------------------------------------


def test_the_deal_and_the_agents_come_from_a_secret_that_tells_neither(monkeypatch):
    monkeypatch.setenv("DAEDALUS_KEY", "mine")
    dealt = arguments.to_play("saboteur", None, None, 7, None, None)
    assert dealt.seed == derive(secret_for(SABOTEUR, 7), "deal", 0) and dealt.text != Position(SABOTEUR, 7).text
    assert dealt.text == arguments.to_play("saboteur", None, None, 7, None, None).text
    monkeypatch.setenv("DAEDALUS_KEY", "yours")
    assert dealt.text != arguments.to_play("saboteur", None, None, 7, None, None).text
    assert arguments.to_play("blackhole", None, None, 7, None, None).seed == 7  # anybody may deal an open game again
    sitting = Sitting(["hint", "quit"], saboteurs()[0], ["human", "boaster"])
    sitting.run()
    assert sitting.seeds == [derive(b"s", "agent", 1), derive(b"s", "adviser", 0)]


def test_a_seed_that_nobody_gave_is_too_large_to_guess():
    from daedalus.cli.app import seed_of

    assert seed_of(5) == 5
    assert max(seed_of(None) for _ in range(40)) >= 2**54


# --- agents that answer oddly ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "thought",
    [
        {"seconds": float("nan")},
        {"simulations": 10**30},
        {"value": float("inf")},
        {"note": "two\nlines" * 900},
        {"note": "\x1b[2J\ud800\r\x07"},
    ],
)
def test_odd_numbers_of_an_agent_do_not_lose_the_game(thought, data_folder):
    class Odd(Agent):
        def choose(self, view, limit=None):
            return Thought(view.legal_moves[0], **thought)

    sitting = Sitting(["b4-b3", "quit"], daedalus.new("blackhole", seed=3), ["human", "human"])
    sitting.session.players[1].agent = Odd()
    out = sitting.run()
    (kept,) = data_folder.iterdir()
    assert [len(record.moves) for record in read_records(kept)] == [2]
    assert max(map(len, out.splitlines())) < 400 and "\nlines" not in out
    assert all(letter.isprintable() or letter == "\n" for letter in out)


def test_an_error_that_cannot_be_told_is_named():
    class Dumb(Exception):
        def __str__(self):
            raise ValueError("nothing to say")

    class Mute(Agent):
        def choose(self, view, limit=None):
            raise Dumb

    sitting = Sitting(["b4-b3", "resign", ""], daedalus.new("blackhole", seed=3), ["human", "human"])
    sitting.session.players[1].agent = Mute()
    assert "failed: Dumb\n" in sitting.run()

"""External engines: good ones play; whatever a bad one does is one clear failure, and no process of it is left."""

import gc
import io
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import daedalus
from daedalus import EngineFailure, IllegalMove, Limit, arena
from daedalus.agents.engine import Engine
from daedalus.agents.engine_process import EngineProcess
from daedalus.agents.engine_server import serve

EXAMPLES = Path(__file__).parent.parent / "examples"
HIGHCARD = f"{Path(__file__).with_name('highcard.py')}:HighCard"
AMPLE = Limit(seconds=20.0)  # for engines that answer at once, on however busy a machine

# Every test engine notes its process, answers hello, and then does what the test says with each `request`.
ENGINE = """
import json, os, sys, time, signal, subprocess
pids = open({pids!r}, "a")
def note(pid):
    print(pid, file=pids, flush=True)
def say(**message):
    print(json.dumps(message), flush=True)
note(os.getpid())
{before}
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "hello":
        say(type="hello", name="test")
    elif request["type"] == "bye":
        break
    else:
        first = request["legal"][0]
{body}
"""


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[..., Engine]]:
    """Makes engines from a few lines of Python; afterwards none of their processes may be alive."""
    pids, engines = tmp_path / "pids", []
    threads = threading.active_count()

    def make(body: str, before: str = "", **settings: Any) -> Engine:
        script = tmp_path / f"engine{len(engines)}.py"
        script.write_text(
            ENGINE.format(pids=str(pids), before=textwrap.dedent(before), body=textwrap.indent(textwrap.dedent(body), " " * 8))
        )
        engines.append(Engine(shlex.join([sys.executable, str(script)]), **settings))
        return engines[-1]

    yield make
    for engine in engines:
        engine.close()
    processes = [int(pid) for pid in pids.read_text().split()] if pids.exists() else []
    assert gone(processes)
    assert threading.active_count() == threads


def alive(pid: int) -> bool:
    """Is there such a process, other than one that is dead and only waits for its parent to notice?"""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")


def gone(pids: list[int], seconds: float = 5.0) -> bool:
    """Have all these processes ended, now or soon?"""
    deadline = time.monotonic() + seconds
    while any(map(alive, pids)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def start() -> daedalus.Position:
    return daedalus.new("blackhole", hole="pass", seed=1)


def play_out(engine: daedalus.Agent, position: daedalus.Position, plies: int = 30) -> daedalus.Position:
    while position.legal_moves and len(position.history) < plies:
        position.push(engine.choose(position.view(), AMPLE).move)
    return position


GOOD = 'say(type="move", id=request["id"], move=first)'


@pytest.mark.parametrize("name", ["engine.py", "engine.js"])
@pytest.mark.parametrize("game", ["blackhole", HIGHCARD])
def test_the_examples_play_any_game(name: str, game: str) -> None:
    interpreter = sys.executable if name.endswith("py") else shutil.which("node")
    if interpreter is None:
        pytest.skip("node is not installed")
    engine = Engine(shlex.join([interpreter, str(EXAMPLES / name)]))
    position = play_out(engine, daedalus.new(game, seed=3))
    assert len(position.history) >= 6
    assert "Random in" in engine.about["name"]
    engine.close()


def test_a_spec_names_an_engine() -> None:
    agent = daedalus.agent(f"engine:{shlex.join([sys.executable, str(EXAMPLES / 'engine.py')])}")
    assert agent.choose(start().view(), AMPLE).move in start().legal_moves
    agent.close()


def test_an_engine_gets_the_whole_request(made: Callable[..., Engine]) -> None:
    engine, position = made('say(type="move", id=request["id"], move=first, note=line)'), start()
    position.push("b4-b3")
    thought = engine.choose(position.view(), Limit(seconds=2.0, simulations=7))
    assert json.loads(thought.note) == {
        "type": "move",
        "id": 1,
        "game": "blackhole",
        "options": {"hole": "pass"},
        "seat": 1,
        "seats": 2,
        "position": "R...R/...R./.R*../.B.B./B...B B",
        "start": "R...R/.R.R./..*../.B.B./B...B R",
        "history": ["b4-b3"],
        "legal": [str(move) for move in position.legal_moves],
        "limit": {"seconds": 2.0, "simulations": 7},
        "seed": 0,
    }
    engine.new_game(2**40 + 5)
    assert json.loads(engine.choose(position.view(), AMPLE).note)["seed"] == 5


def test_an_engine_never_gets_the_truth_of_a_hidden_game(made: Callable[..., Engine]) -> None:
    engine, position = made('say(type="move", id=request["id"], move=first, note=line)'), daedalus.new(HIGHCARD, seed=3)
    for asked in (position, position.view()):
        request = json.loads(engine.choose(asked, AMPLE).note)
        assert request["start"] is None and request["position"] != position.text


def test_what_an_engine_tells_becomes_a_thought(made: Callable[..., Engine]) -> None:
    engine = made(
        """
        say(type="info", value=0.9)
        say(type="info", value=0.1, depth=4, line=[first, "x"])
        print(flush=True)
        candidates = [{"move": first, "value": 0.25, "visits": 10}, {"move": request["legal"][1]}]
        say(type="move", id=request["id"], move=first, value=0.25, simulations=12, candidates=candidates, extra=1)
        """
    )
    thought = engine.choose(start().view(), AMPLE)
    assert (thought.value, thought.depth, thought.simulations, thought.line) == (0.25, 4, 12, ("a5-d5", "x"))
    assert [(str(c.move), c.value, c.visits) for c in thought.candidates] == [("a5-d5", 0.25, 10), ("a5-a2", None, 0)]
    assert thought.seconds > 0


BAD = {
    "garbage": ("print('hello world', flush=True)", "not JSON: 'hello world'"),
    "not an object": ("print('[1]', flush=True)", "no object with a type"),
    "no type": ("say(move=first)", "no object with a type"),
    "another type": ("say(type='hello', name='again')", "sent 'hello' when a move was due"),
    "nested": ("print('[' * 500_000, flush=True)", "not JSON"),
    "bytes": ("os.write(1, b'\\xff\\xfe\\n')", "not UTF-8"),
    "long line": ("print('x' * 5_000_000, flush=True)", "more than 1 MB"),
    "endless line": ("while True: os.write(1, b'x' * 65536)", "more than 1 MB"),
    "half a character": ("say(type='error', message='\\ud800 \\x1b[31m')", "says: \\ud800 \\x1b[31m"),
    "wrong id": ("say(type='move', id=request['id'] + 1, move=first)", "answered request 2 when asked 1"),
    "no id": ("say(type='info', id=1); say(type='move', move=first)", "answered request None when asked 1"),
    "no move": ("say(type='move', id=request['id'])", "has no move"),
    "illegal": ("say(type='move', id=request['id'], move='a1-a9')", "illegal move 'a1-a9'; legal: a5-d5, a5-a2, "),
    "no text": ("say(type='move', id=request['id'], move=5)", "has no move"),
    "value": ("say(type='move', id=request['id'], move=first, value=37)", "its value is 37, not a number from -1 to 1"),
    "nan": ("say(type='move', id=request['id'], move=first, value=float('nan'))", "its value is nan"),
    "depth": ("say(type='move', id=request['id'], move=first, depth='9')", "its depth is '9'"),
    "candidates": ("say(type='move', id=request['id'], move=first, candidates=[5])", "has no move"),
    "line": ("say(type='move', id=request['id'], move=first, line='x')", "its line is 'x', not a list"),
    "error": ("say(type='error', message='no such game')", "says: no such game"),
    "dies": ("print('out of fuel', file=sys.stderr); sys.exit(3)", "exited with code 3; it last wrote: out of fuel"),
    "crashes": ("raise RuntimeError('boom')", "exited with code 1; it last wrote: RuntimeError: boom"),
    "killed": ("os.kill(os.getpid(), signal.SIGSEGV)", "was ended by SIGSEGV"),
    "hangs": ("time.sleep(60)", "no move within 0.2 s"),
    "spins": ("while True: pass", "no move within 0.2 s"),
    "late": (f"time.sleep(1); {GOOD}", "no move within 0.2 s"),
    "chatters": ("while True: say(type='info', depth=1)", "no move within 0.2 s"),
    "closes its output": ("sys.stdout.close(); os.close(1); time.sleep(60)", "closed its input or output"),
    "floods stderr and dies": (
        "[sys.stderr.write('x' * 10_000 + '\\n') for _ in range(1000)]; sys.stderr.write('over\\n'); sys.exit(1)",
        "exited with code 1; it last wrote: over",
    ),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_engine_is_one_clear_failure(made: Callable[..., Engine], fault: str) -> None:
    body, reason = BAD[fault]
    silent = "no move" in reason
    engine = made(body, grace=0.3)
    with pytest.raises(EngineFailure) as failure:
        engine.choose(start().view(), Limit(seconds=0.2) if silent else AMPLE)
    assert str(failure.value).startswith(f"engine {engine.command}: ") and reason in str(failure.value)
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ("sys.exit('no licence')", "exited with code 1; it last wrote: no licence"),
        ("print('Welcome!', flush=True)", "not JSON: 'Welcome!'"),
        ("say(type='hello')", "its hello has no name"),
        ("say(type='move', move='x')", "sent 'move' when a hello was due"),
        ("say(type='hello', name='x', games=['go', 'chess'])", "plays go, chess, not blackhole"),
        ("time.sleep(60)", "no hello within 0.3 s"),
        ("os.close(0); say(type='hello', name='x'); time.sleep(60)", "closed its input or output"),
    ],
)
def test_a_bad_start_is_one_clear_failure(made: Callable[..., Engine], before: str, reason: str) -> None:
    engine = made(GOOD, before, greeting=0.3 if "no hello" in reason else 10.0)
    with pytest.raises(EngineFailure, match=reason):
        engine.choose(start().view(), AMPLE)


def test_a_reply_within_the_grace_counts_and_without_a_limit_patience_ends(made: Callable[..., Engine]) -> None:
    engine = made(f"time.sleep(0.4); {GOOD}", grace=10.0, patience=0.1)
    assert engine.choose(start().view(), Limit(seconds=0.1)).seconds > 0.4
    engine.grace = 0.1
    with pytest.raises(EngineFailure, match=r"no move within 0\.1 s"):
        engine.choose(start().view())


def test_an_engine_that_floods_stderr_is_not_blocked(made: Callable[..., Engine]) -> None:
    engine = made(f"sys.stderr.write('x' * 10_000_000); sys.stderr.flush(); {GOOD}")
    for _ in range(2):
        assert str(engine.choose(start().view(), AMPLE).move) == "a5-d5"


def test_an_engine_that_says_too_much_between_moves_waits(made: Callable[..., Engine]) -> None:
    engine = made(f"{GOOD}\nfor n in range(100_000): say(type='info', depth=n)")
    assert engine.choose(start().view(), AMPLE)
    time.sleep(0.3)
    assert engine._dialogue is not None and engine._dialogue.child._said.qsize() <= 64


def test_after_a_failure_the_engine_starts_afresh(made: Callable[..., Engine], tmp_path: Path) -> None:
    engine = made(f"if os.path.exists({str(tmp_path / 'well')!r}): {GOOD}\nelse: sys.exit(1)")
    for _ in range(2):
        with pytest.raises(EngineFailure, match="exited with code 1"):
            engine.choose(start().view(), AMPLE)
    (tmp_path / "well").touch()
    assert len(play_out(engine, start(), 5).history) == 5
    assert len((tmp_path / "pids").read_text().split()) == 3
    engine.close()
    assert engine.choose(start().view(), AMPLE)


def test_children_of_an_engine_die_with_it(made: Callable[..., Engine], tmp_path: Path) -> None:
    child = "note(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).pid)"
    for body in (GOOD, "sys.exit(2)", "time.sleep(60)", "print('x', flush=True)"):
        engine = made(body, child, grace=0.1)
        if body == GOOD:
            engine.choose(start().view(), AMPLE)
        else:
            with pytest.raises(EngineFailure):
                engine.choose(start().view(), Limit(seconds=0.3))
        engine.close()
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 8 and gone(pids)


OWNER = """
import os, sys, daedalus
from daedalus.agents.engine import Engine
engine = Engine({command!r})
engine.choose(daedalus.new("blackhole").view(), daedalus.Limit(seconds=5))
print("ready", flush=True)
{then}
"""

STRAY = """
stray = subprocess.Popen([sys.executable, "-c", "import os, time; os.fork(); time.sleep(60)"], start_new_session=True)
note(stray.pid)
time.sleep(0.2)
for other in filter(str.isdigit, os.listdir("/proc")):
    try:
        stat = open(f"/proc/{other}/stat").read()
    except OSError:
        continue  # it has ended meanwhile
    if stat.rpartition(")")[2].split()[1] == str(stray.pid):
        note(other)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the process group is ended")
@pytest.mark.parametrize("body", [GOOD, "sys.exit(2)", "time.sleep(60)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_what_an_engine_put_into_a_session_of_its_own_ends_too(made: Callable[..., Engine], tmp_path: Path, body: str) -> None:
    engine = made(body, STRAY, grace=0.1)
    if body == GOOD:
        engine.choose(start().view(), AMPLE)
    else:
        with pytest.raises(EngineFailure):
            engine.choose(start().view(), Limit(seconds=0.3))
    engine.close()
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 3 and gone(pids)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the process group is ended")
def test_what_an_engine_put_into_a_session_of_its_own_does_not_outlive_us(made: Callable[..., Engine], tmp_path: Path) -> None:
    script = OWNER.format(command=made(GOOD, STRAY).command, then="sys.stdin.read()")
    owner = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert owner.stdout is not None and owner.stdout.readline() == b"ready\n"
    owner.kill()
    owner.communicate()
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 3 and gone(pids)


@pytest.mark.skipif(sys.platform != "linux", reason="counts what /proc tells")
def test_no_thread_and_no_descriptor_stays_after_200_engines() -> None:
    hello = """sh -c 'read line; echo "{\\"type\\": \\"hello\\", \\"name\\": \\"x\\"}"; read line'"""
    commands = ["true", "cat", "./nothing", hello]  # ends at once; a hello without a name; cannot be started; a good one
    game = start().game

    def count() -> tuple[int, int]:
        return threading.active_count(), len(os.listdir("/proc/self/fd"))

    before, greeted = count(), 0
    for number in range(200):
        engine = Engine(commands[number % 4])
        try:
            engine.prepare(game)
            greeted += 1
        except EngineFailure:
            pass
        engine.close()
    assert greeted == 50 and count() == before


def test_an_engine_does_not_learn_the_key_of_the_deals(made: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAEDALUS_KEY", "secret")
    monkeypatch.setenv("OTHER", "told")
    body = 'say(type="move", id=request["id"], move=first, note=str([os.environ.get("DAEDALUS_KEY"), os.environ["OTHER"]]))'
    assert made(body).choose(start().view(), AMPLE).note == "[None, 'told']"


def test_a_program_that_is_killed_does_not_end_by_itself_before() -> None:
    child = EngineProcess([shutil.which("cat") or "cat"])  # ends at once when its input is closed
    if sys.platform == "linux":
        os.kill(child._process.pid, signal.SIGSTOP)  # the supervisor is slow, as on a busy machine
        threading.Timer(0.3, os.kill, (child._process.pid, signal.SIGCONT)).start()
    assert child.stop() == -signal.SIGKILL


def test_a_program_that_never_reads_is_not_told_without_end() -> None:
    child = EngineProcess([shutil.which("sleep") or "sleep", "60"])
    for _ in range(1000):
        child.send(b"x" * 100_000)
    assert child._to_say.qsize() <= 64
    child.stop()
    assert not alive(child.pid)


def test_an_engine_that_will_not_go_is_made_to(made: Callable[..., Engine]) -> None:
    engine = made(GOOD, "for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)")
    engine.choose(start().view(), AMPLE)
    pid = engine.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    engine.close()
    assert gone([pid], 0.5)


def test_an_engine_is_told_bye(made: Callable[..., Engine], tmp_path: Path) -> None:
    engine = made(GOOD, f"import atexit; atexit.register(lambda: open({str(tmp_path / 'bye')!r}, 'w').close())")
    engine.choose(start().view(), AMPLE)
    engine.close()
    assert (tmp_path / "bye").exists()


def test_a_forgotten_engine_ends(made: Callable[..., Engine], tmp_path: Path) -> None:
    engine = Engine(made(GOOD).command)
    engine.choose(start().view(), AMPLE)
    del engine
    gc.collect()
    assert gone([int((tmp_path / "pids").read_text())])


def test_an_engine_outlives_the_thread_that_first_asked_it(made: Callable[..., Engine], tmp_path: Path) -> None:
    engine = made(GOOD)
    thread = threading.Thread(target=engine.choose, args=(start().view(), AMPLE))
    thread.start()
    thread.join()
    time.sleep(0.1)
    assert engine.choose(start().view(), AMPLE)
    assert len((tmp_path / "pids").read_text().split()) == 1


@pytest.mark.parametrize("end", ["exit", "kill -9"])
def test_an_engine_never_outlives_us(made: Callable[..., Engine], tmp_path: Path, end: str) -> None:
    if end == "kill -9" and sys.platform != "linux":
        pytest.skip("elsewhere a program whose owner is killed only sees its input close")
    deaf = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nimport atexit; atexit.register(time.sleep, 60)"
    script = OWNER.format(command=made(GOOD, deaf).command, then="" if end == "exit" else "sys.stdin.read()")
    owner = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert owner.stdout is not None and owner.stdout.readline() == b"ready\n"
    if end != "exit":
        owner.kill()
    owner.communicate()
    assert gone([int((tmp_path / "pids").read_text())])


def test_after_a_fork_the_engine_is_still_the_parents(made: Callable[..., Engine]) -> None:
    engine = made(GOOD)
    engine.choose(start().view(), AMPLE)
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        engine.close()
        os.write(writer, b"x")
        os._exit(0)
    assert os.read(reader, 1) == b"x"
    os.waitpid(pid, 0)
    os.close(reader)
    os.close(writer)
    assert engine.choose(start().view(), AMPLE)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("", "engine: name the program"),
        ("'./x", "engine './x: the command cannot be read: no closing quotation"),
        ("./nothing --here", "engine ./nothing --here: there is no program ./nothing"),
        ("nothing_of_that_name", "there is no program nothing_of_that_name"),
        (f"{Path(__file__).parent}", "there is no program"),
        (__file__, "is not executable; chmod"),
    ],
)
def test_a_command_that_is_no_program_is_refused(command: str, reason: str) -> None:
    for attempt in (lambda: Engine(command).choose(start().view()), lambda: Engine(command).bind(start().game)):
        with pytest.raises(EngineFailure) as failure:
            attempt()
        assert reason in str(failure.value)


def test_a_program_without_a_known_format_fails_in_one_sentence(tmp_path: Path) -> None:
    program = tmp_path / "binary"
    program.write_bytes(b"\0\1\2")
    program.chmod(0o755)
    with pytest.raises(EngineFailure, match=r"[Ee]xec format error"):
        Engine(str(program)).choose(start().view())


def test_relative_paths_and_the_home_folder_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(EXAMPLES / "engine.py", tmp_path / "my engine")
    (tmp_path / "my engine").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for command in ("'./my engine'", "'my engine'", "'~/my engine'", f"{sys.executable} '~/my engine'"):
        engine = Engine(command)
        assert engine.choose(start().view(), AMPLE)
        engine.close()


def test_a_game_that_is_over_is_not_asked_about() -> None:
    ended = daedalus.new("blackhole", cap=1)
    ended.push(ended.legal_moves[0])
    with pytest.raises(IllegalMove, match="over"):
        Engine("nothing").choose(ended.view())


def test_a_program_that_does_not_read_blocks_nobody() -> None:
    child = EngineProcess([shutil.which("sleep") or "sleep", "60"])
    begun = time.monotonic()
    child.send(b"x" * 10_000_000)
    assert child.receive(0.1) is None
    assert child.stop(grace=0.1) == -signal.SIGTERM
    assert time.monotonic() - begun < 5 and not alive(child.pid)


def test_what_a_program_says_before_it_ends_is_heard_though_it_reads_nothing() -> None:
    child = EngineProcess(["/bin/sh", "-c", "exec 0<&-; sleep 0.3; echo hi there"])
    time.sleep(0.2)  # by now its input is closed, as a rule
    child.send(b"hello")
    assert [child.receive(5), child.receive(5)] == [b"hi there\n", b""]
    assert child.stop() == 0


def served(agent: daedalus.Agent, *requests: Any) -> list[dict[str, Any]]:
    replies = io.StringIO()
    serve(agent, [request if isinstance(request, str) else json.dumps(request) for request in requests], replies)
    return [json.loads(line) for line in replies.getvalue().splitlines()]


def test_serve_answers_and_survives_bad_requests() -> None:
    move = {"type": "move", "id": 4, "game": "blackhole", "seat": 0, "position": start().text, "limit": {}}
    replies = served(
        daedalus.agent("greedy"),
        {"type": "hello", "protocol": 1},
        move,
        "garbage",
        "[]",
        {"type": "dance"},
        move | {"game": "chess"},
        move | {"start": start().text, "history": ["a1-a9"]},
        move | {"limit": {"seconds": -1}},
        move | {"options": {"size": 6}},
        {"type": "bye"},
        move,
    )
    assert replies[0] == {"type": "hello", "name": "Daedalus greedy"}
    assert (replies[1]["type"], replies[1]["id"]) == ("move", 4) and replies[1]["move"] in start().legal_moves
    assert [reply["type"] for reply in replies[2:]] == ["error"] * 7
    reasons = ["Expecting value", "JSON object", "unknown type 'dance'", "unknown game", "no square a9", "more than 0", "5|7|9"]
    for reason, reply in zip(reasons, replies[2:], strict=True):
        assert reason in reply["message"]


def test_the_seed_of_a_request_decides_what_a_served_agent_plays() -> None:
    move = {"type": "move", "id": 1, "game": "blackhole", "position": start().text}
    replies = served(daedalus.agent("random"), *(move | {"seed": seed} for seed in (*range(1, 9), *range(1, 9), "x")))
    moves = [reply.get("move") for reply in replies]
    assert moves[:8] == moves[8:16] and len(set(moves[:8])) > 1
    assert replies[16]["type"] == "error"


def test_a_match_of_an_engine_with_dice_can_be_played_again() -> None:
    engine = f"engine:{sys.executable} {EXAMPLES / 'engine.py'}"
    runs = [
        arena.match("blackhole", engine, "random", games=2, seed=seed, workers=1, db=":memory:", limit=AMPLE)
        for seed in (1, 1, 2)
    ]
    games = [[result.parsed.moves for result in run.results] for run in runs]
    assert games[0] == games[1] != games[2]


def test_what_a_served_agent_prints_is_no_reply(capsys: pytest.CaptureFixture[str]) -> None:
    class Loud(daedalus.Agent):
        def choose(self, view: daedalus.Position, limit: Limit | None = None) -> daedalus.Thought:
            print("thinking aloud")
            return daedalus.Thought(view.legal_moves[0], value=0.0)

    serve(Loud(), [json.dumps({"type": "move", "id": 1, "game": "blackhole", "position": start().text})])
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {"type": "move", "id": 1, "move": "a5-d5", "value": 0.0}
    assert "thinking aloud" in printed.err


def test_an_agent_served_as_an_engine_plays_the_same_moves() -> None:
    spec = "mcts:simulations=200"
    script = f"import daedalus; from daedalus.agents.engine_server import serve; serve(daedalus.agent({spec!r}))"
    engine, agent = Engine(shlex.join([sys.executable, "-c", script]), greeting=60.0, grace=60.0), daedalus.agent(spec)
    there, here = play_out(engine, start(), 8), play_out(agent, start(), 8)
    assert there.history == here.history
    thought = engine.choose(there.view(), AMPLE)
    assert thought.candidates and thought.line and thought.value is not None
    engine.close()

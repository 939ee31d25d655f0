"""Agents by their specs: what is right works, what is wrong is refused with what would be right."""

import pytest

import daedalus
from daedalus import IllegalMove, InvalidSpec, Limit
from daedalus.agents import describe, warm, warm_steps

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "greedy",
        "greedy:eval=h4",
        "mc:simulations=40,cutoff=4",
        "alphabeta:depth=2",
        "alphabeta:depth=1,eval=h2,order=static",
        "alphabeta:depth=2,natural",
        "mcts:simulations=30,cutoff=3",
        "mcts:simulations=30,puct,cutoff=0",
        "mcts:simulations=30,implicit=0.2,cutoff=2,rollout=uniform",
    ],
)
def test_an_agent_answers_with_a_thought(spec):
    position = daedalus.new("blackhole", seed=1)
    for agent in (daedalus.agent(spec), daedalus.agent(spec, position.game)):
        thought = agent.choose(position.view())
        assert thought.move in position.legal_moves
        assert thought.value is None or -1 <= thought.value <= 1
        assert not thought.candidates or thought.candidates[0].move == thought.move
        assert not thought.line or thought.line[0] == str(thought.move)
        agent.close()


@pytest.mark.parametrize(
    "spec, complaint",
    [
        ("mctss", "unknown agent 'mctss'; did you mean 'mcts'"),
        ("", "unknown agent ''"),
        ("mcts:sims=-3", "unknown option of mcts 'sims'.*simulations"),
        ("mcts:simulations=-3", "simulations=-3: takes at least 1"),
        ("mcts:simulations=many", "simulations=many: takes a whole number"),
        ("mcts:seconds=0", "seconds=0: takes at least"),
        ("mcts:seconds=nan", "seconds=nan: takes a number"),
        ("mcts:implicit=2", "implicit=2: takes 0 to 1"),
        ("mcts:solver=maybe", r"solver=maybe: takes yes\|no"),
        ("mcts:fast", "unknown option of mcts 'fast'"),
        ("alphabeta:order=best", "order=best: takes .*learnt"),
        ("nowhere.py:Agent", "no file nowhere.py"),
        ("no_such_module:Agent", "No module named 'no_such_module'"),
    ],
)
def test_a_wrong_spec_says_what_is_valid(spec, complaint):
    with pytest.raises(InvalidSpec, match=complaint) as error:
        daedalus.agent(spec)
    assert "\n" not in str(error.value)


def test_names_that_depend_on_the_game_are_checked_with_it():
    game = daedalus.game("blackhole")
    with pytest.raises(InvalidSpec, match="unknown eval for blackhole 'h9'.*h1"):
        daedalus.agent("alphabeta:eval=h9", game)
    with pytest.raises(InvalidSpec, match="unknown rollout for blackhole 'wild'"):
        daedalus.agent("mcts:rollout=wild", game)


def test_a_user_class_is_an_agent(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "class Last:\n"
        "    def __init__(self, place=-1): self.place = place\n"
        "    def choose(self, view, limit): return str(view.legal_moves[self.place])\n"
        "class Mute:\n    pass\n"
        "class Wild:\n    def choose(self, view, limit): return 'z9'\n"
    )
    position = daedalus.new("blackhole")
    assert str(daedalus.agent(f"{path}:Last").choose(position.view()).move) == "d4-c4"
    assert str(daedalus.agent(f"{path}:Last,place=0").choose(position.view()).move) == "a5-d5"
    with pytest.raises(InvalidSpec, match="no method choose"):
        daedalus.agent(f"{path}:Mute")
    with pytest.raises(InvalidSpec, match="unknown option of .*Last 'speed'; valid: place"):
        daedalus.agent(f"{path}:Last,speed=3")
    with pytest.raises(IllegalMove):
        daedalus.agent(f"{path}:Wild").choose(position.view())


@pytest.mark.parametrize("name, told", [("Blind", []), ("Kin", []), ("Seer", ["d4-c4"]), ("Any", ["d4-c4"])])
def test_a_user_class_takes_a_watch_or_leaves_it(name, told, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from daedalus import Agent, Thought\n"
        "def last(view): return Thought(view.legal_moves[-1])\n"
        "class Blind:\n    def choose(self, view, limit): return last(view)\n"
        "class Kin(Agent):\n    def choose(self, view, limit=None): return last(view)\n"
        "class Seer:\n    def choose(self, view, limit, watch=None): watch(last(view)); return last(view)\n"
        "class Any:\n    def choose(self, view, limit, **more): more['watch'](last(view)); return last(view)\n"
    )
    shown = []
    thought = daedalus.agent(f"{path}:{name}").choose(daedalus.new("blackhole").view(), Limit(), shown.append)
    assert str(thought.move) == "d4-c4" and [str(thought.move) for thought in shown] == told


def test_the_tighter_limit_counts():
    position = daedalus.new("blackhole", seed=1)
    agent = daedalus.agent("mcts:simulations=50,cutoff=2")
    assert agent.choose(position.view(), Limit(simulations=20)).simulations == 20
    assert agent.choose(position.view(), Limit(simulations=90)).simulations == 50
    with pytest.raises(InvalidSpec, match="must be more than 0"):
        Limit(seconds=-1)
    assert Limit.parse("seconds=0.5,depth=3") == Limit(seconds=0.5, depth=3)
    for limit in (Limit(seconds=0.5, depth=3), Limit(simulations=1_000_000), Limit(seconds=1.2345678)):
        assert Limit.parse(str(limit)) == limit
    with pytest.raises(InvalidSpec, match="unknown limit 'second'"):
        Limit.parse("second=1")


def test_the_limit_of_the_course_has_a_longer_first_move():
    course = Limit.parse("course")
    assert course == Limit.parse("seconds=2,first=30") == Limit.parse(str(course))
    assert course.at(0) == Limit(seconds=30) and course.at(1) == course.at(7) == Limit(seconds=2)
    assert Limit.parse("course,depth=3").at(0) == Limit.parse("depth=3,course").at(0) == Limit(seconds=30, depth=3)
    assert Limit(seconds=1).at(0) == Limit(seconds=1)
    # the tighter one counts at every move
    assert (Limit(seconds=5) & course).at(0) == (course & Limit(seconds=5)).at(0) == Limit(seconds=5)
    assert (Limit(seconds=5) & course).at(1) == Limit(seconds=2)
    for text in ("coarse", "course=3", "first=0"):
        with pytest.raises(InvalidSpec, match=r"valid: course, depth, first, seconds, simulations|must be more than 0"):
            Limit.parse(text)


def test_greedy_takes_a_win():
    game = daedalus.game("blackhole", hole="pass")
    position = daedalus.Position.from_text(game, "R.R../...../..*R./.B.B./B...B R")
    thought = daedalus.agent("greedy").choose(position.view())
    assert position.push(thought.move) and position.outcome().winner == 0


def test_agents_are_described_with_their_options():
    names = {info.name: info for info in describe("blackhole")}
    assert {"random", "greedy", "mc", "alphabeta", "mcts", "perfect", "engine"} <= set(names)
    assert any(option.name == "implicit" for option in names["mcts"].options)
    assert all(info.help for info in names.values())


def test_warming_prepares_every_agent():
    game = daedalus.game("blackhole", size=7)
    agents = {info.name for info in describe("blackhole")} - {"engine"}
    assert agents < set(warm_steps(game)) and list(warm(game)) == warm_steps(game)


@pytest.mark.interpreted
def test_a_comma_after_the_name_is_understood_like_a_colon():
    game = daedalus.new("colosseum").game
    assert daedalus.agent("seed,implicit=0.2", game).implicit == daedalus.agent("seed:implicit=0.2", game).implicit == 0.2
    with pytest.raises(InvalidSpec, match="unknown agent 'sed'"):
        daedalus.agent("sed,implicit=0.2", game)


def test_a_depth_alone_does_not_let_a_tree_search_think_for_ever():
    position = daedalus.new("blackhole", seed=1)
    agent = daedalus.agent("mcts:cutoff=2", position.game)
    seen = []
    agent.search(position.game).think = lambda view, limit, watch: seen.append(limit)
    agent.choose(position.view(), Limit(depth=2))
    assert seen == [Limit(seconds=1.0, depth=2)]


def test_numbers_that_no_kernel_can_count_to_are_refused():
    for spec in ("mcts:nodes=" + "9" * 30, "mcts:simulations=" + "9" * 30, "mc:cutoff=" + "9" * 30):
        with pytest.raises(InvalidSpec, match="takes .*1e\\+"):
            daedalus.agent(spec)

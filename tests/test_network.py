"""Networks as players: what compiled searches make of one, files and their faults, and that new weights compile nothing."""

import json
import subprocess
import sys

import numpy as np
import pytest
from highcard import HighCard
from network_files import dense, random_network

import daedalus
from daedalus import Limit, Position
from daedalus.agents import names_file
from daedalus.core import InvalidSpec
from daedalus.core.compile import INTERPRETED, kernels_loaded
from daedalus.core.features import observed
from daedalus.core.registry import make_game
from daedalus.search import InvalidNetwork, Network, TreeSearch, read_network
from daedalus.search.network import parse_network


@pytest.fixture
def game():
    return make_game("blackhole")


@pytest.fixture
def file(game, tmp_path):
    path = tmp_path / "small.safetensors"
    random_network(game).write(path)
    return path


def test_compiled_values_are_those_of_the_matrix_products(game, file):
    position = Position(game, 1)
    thought = daedalus.agent(f"alphabeta:depth=1,full,eval=net:{file}", game).choose(position.view())
    network = read_network(file)
    assert len(thought.candidates) == len(position.legal_moves)
    for candidate in thought.candidates:
        after = position.copy()
        after.push(candidate.move)
        value, _ = dense(network, observed(after, after.turn))
        assert candidate.value == pytest.approx(-value, abs=1e-5)


def test_compiled_priors_are_those_of_the_matrix_products(game, file):
    position, network = Position(game, 1), read_network(file)
    net = network.judge(game)
    search = TreeSearch(net, net, puct=True, cutoff=0)
    search.think(position.view(), Limit(simulations=1))
    root = search._trees[0]
    priors = dict(zip(root._block(0)["move"].tolist(), root._block(0)["prior"].tolist(), strict=True))
    _, logits = dense(network, observed(position, position.turn))
    odds = {m: np.exp(logits[game.action(position.state, m)]) for m in position.legal_moves.codes}
    assert priors == pytest.approx({m: odd / sum(odds.values()) for m, odd in odds.items()}, abs=1e-5)


def test_two_seats_are_judged_by_one_call(game):
    class Asked:
        def __init__(self):
            self.seats = []

        def value(self, game, s, seat, w):
            self.seats.append(seat)
            return 0.25

    from daedalus.core.memory import copies, workspaces
    from daedalus.search.kernels.common import judge_seats

    S, W = copies(game, [Position(game, 1).state], 1), workspaces(game, 1, 1)
    each = Asked()
    judge_seats(game, each, S[0], W[0], 2)
    assert each.seats == [0, 1] and W[0].payoffs[:2].tolist() == [0.25, 0.25]
    once = type("Once", (Asked,), {"ZERO_SUM": True})()
    judge_seats(game, once, S[0], W[0], 2)
    assert once.seats == [0] and W[0].payoffs[:2].tolist() == [0.25, -0.25]


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize("spec", ["net:{},simulations=20", "mcts:simulations=20,eval=net:{}", "alphabeta:depth=2,eval=net:{}"])
def test_new_weights_compile_nothing(game, tmp_path, spec):
    files = [tmp_path / "a.safetensors", tmp_path / "b.safetensors"]
    for seed, path in enumerate(files):
        random_network(game, seed=seed).write(path)
    view = Position(game, 1).view()
    first = daedalus.agent(spec.format(files[0]), game).choose(view)
    known = kernels_loaded()
    second = daedalus.agent(spec.format(files[1]), game).choose(view)
    assert kernels_loaded() == known
    assert second.value != first.value  # the other weights were used all the same


def test_threads_do_not_share_scratch(game, file):
    net = read_network(file).judge(game)
    search = TreeSearch(net, net, puct=True, cutoff=0, threads=3)
    judges = [search.judges(thread) for thread in range(3)]
    places = {evaluation.weights.x.__array_interface__["data"][0] for _, evaluation in judges}
    assert len(places) == 3
    assert all(policy is evaluation for policy, evaluation in judges)  # one copy serves as both
    assert all(np.array_equal(evaluation.weights.w1, net.weights.w1) for _, evaluation in judges)


def test_a_tree_on_two_threads_searches_with_a_network(game, file):
    thought = daedalus.agent(f"net:{file},threads=2,simulations=200", game).choose(Position(game, 1).view())
    assert thought.simulations == 200


def test_a_file_comes_back_as_it_was(game, file):
    network = random_network(game)
    again = read_network(file)
    assert again.card == network.card
    assert all(np.array_equal(again.weights[name], values) for name, values in network.weights.items())


def test_the_safetensors_package_reads_the_file(game, file):
    package = pytest.importorskip("safetensors.numpy")
    found = package.load_file(file)
    network = random_network(game)
    assert set(found) == set(network.weights)
    assert all(np.array_equal(found[name], values) for name, values in network.weights.items())


def header(contents):
    return 8 + int.from_bytes(contents[:8], "little")


def rewritten(contents, change):
    """The file with another header."""
    about = json.loads(contents[8 : header(contents)])
    change(about)
    text = json.dumps(about).encode()
    return len(text).to_bytes(8, "little") + text + contents[header(contents) :]


FAULTS = {
    "empty": lambda c: b"",
    "text": lambda c: b"hello, I am no network at all, only a letter to a friend",
    "cut in its header": lambda c: c[: header(c) // 2],
    "cut in its weights": lambda c: c[:-100],
    "a huge header": lambda c: (2**62).to_bytes(8, "little") + c[8:],
    "no card": lambda c: rewritten(c, lambda about: about.pop("__metadata__")),
    "no weights": lambda c: rewritten(c, lambda about: about.pop("w2")),
    "whole numbers": lambda c: rewritten(c, lambda about: about["w1"].update(dtype="I32")),
    "other shapes": lambda c: rewritten(c, lambda about: about["b1"].update(shape=[4, 4])),
    "offsets outside": lambda c: rewritten(c, lambda about: about["b1"].update(data_offsets=[-64, 0])),
    "no numbers": lambda c: c[: header(c)] + b"\xff" * (len(c) - header(c)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_file_is_refused_in_one_line(file, fault):
    file.write_bytes(FAULTS[fault](file.read_bytes()))
    with pytest.raises(InvalidNetwork, match=r"^.*small\.safetensors: (not a network|damaged)") as refusal:
        read_network(file)
    assert "\n" not in str(refusal.value)


def test_any_changed_byte_of_the_header_gives_a_network_or_a_refusal(file):
    contents = file.read_bytes()
    rng = np.random.default_rng(3)
    refused = 0
    for _ in range(300):
        damaged = bytearray(contents)
        damaged[int(rng.integers(header(contents)))] = int(rng.integers(256))
        try:
            parse_network(bytes(damaged))
        except InvalidNetwork:
            refused += 1
    assert refused > 100  # most bytes matter


def test_a_network_of_another_game_is_refused(file):
    with pytest.raises(InvalidSpec, match="trained for blackhole, not for quoridor"):
        daedalus.agent(f"net:{file}", make_game("quoridor"))
    with pytest.raises(InvalidSpec, match="trained for blackhole: 295 inputs and 100 actions, not 537 and 196"):
        daedalus.agent(f"net:{file}", make_game("blackhole", size=7))
    with pytest.raises(InvalidSpec, match="trained for blackhole, not for quoridor"):
        daedalus.agent(f"mcts:eval=net:{file}", make_game("quoridor")).choose(Position(make_game("quoridor"), 1).view())


def test_a_missing_file_is_refused_in_one_line(game):
    with pytest.raises(InvalidSpec, match=r"^nowhere\.safetensors: No such file or directory$"):
        daedalus.agent("net:nowhere.safetensors", game)


def test_a_game_without_features_has_no_network(file):
    network = read_network(file)
    blind = Network(network.weights, network.card | {"game": "HighCard"})
    with pytest.raises(InvalidSpec, match="HighCard has no features"):
        blind.judge(HighCard())


@pytest.mark.parametrize(
    "spec, names",
    [
        ("net", False),
        ("net:simulations=5", False),
        ("net:/etc/passwd", True),
        ("net,/etc/passwd", True),
        ("net:seconds=1,file=/etc/passwd", True),
        ("mcts:eval=net", False),
        ("mcts:eval=net:/etc/passwd", True),
        ("alphabeta:depth=3, eval = net:x", True),
        ("alphabeta:depth=3", False),
        ("qnet", False),
        ("qnet:/etc/passwd", True),
        ("qnet:file=/etc/passwd", True),
        ("mc:double,allstar", False),
    ],
)
def test_specs_that_name_files_are_known(spec, names):
    assert names_file(spec) is names


def test_playing_a_network_loads_no_training_library(file):
    code = (
        "import sys, daedalus\nfrom daedalus.core.registry import make_game\n"
        "sys.modules.update(dict.fromkeys(('jax', 'optax', 'equinox', 'safetensors')))\n"  # importing them would fail
        f"g = make_game('blackhole')\nprint(daedalus.agent('net:{file},simulations=5', g).choose(daedalus.Position(g, 1).view()).move)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_strangers_on_a_server_name_no_files(game, file):
    pytest.importorskip("fastapi")
    from daedalus.web.catalogue import checked_spec
    from daedalus.web.settings import Settings

    for spec in (f"net:{file},simulations=5", f"mcts:simulations=5,eval=net:{file}"):
        with pytest.raises(InvalidSpec, match="names a file|does not play here"):
            checked_spec(spec, game, Settings())
        assert checked_spec(spec, game, Settings(), allow_code=True) == spec  # the owner may

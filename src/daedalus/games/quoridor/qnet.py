"""The agent `qnet`: a network trained by Q-learning plays its best action at once; files of such networks."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from daedalus.core import InvalidSpec, setting
from daedalus.search import InvalidNetwork, PolicyPlayer
from daedalus.search.safetensors import parse_weights, write_weights

from .kernels.qnet import COSTS, MOVER, PATHS, PUBLISHED, RELU, SIGMOID, WEIGHTS, QNet, inputs_of, qnet_type

INPUTS = {"published": PUBLISHED, "mover": MOVER, "paths": PATHS, "costs": COSTS}
ACTIVATIONS = {"sigmoid": SIGMOID, "relu": RELU}
SHIPPED = Path(__file__).parent / "qnets" / "qnet.safetensors"


def mirrored(game: Any, kind: str) -> tuple[Any, Any]:
    """Where inputs and actions come from when left and right are swapped."""
    wide, slots = game.width, game.width - 1
    cells = np.arange(wide * game.height).reshape(-1, wide)[:, ::-1].ravel()
    walls = np.arange(slots * (game.height - 1)).reshape(-1, slots)[:, ::-1].ravel()
    inputs = np.arange(inputs_of(game, INPUTS[kind]))
    begin = 0
    for part in (cells, cells, walls, walls):
        inputs[begin : begin + part.size] = begin + part
        begin += part.size
    begin = game.FEATURES
    for part in (cells, cells, walls, walls, walls, walls):
        if begin < inputs.size:
            inputs[begin : begin + part.size] = begin + part
            begin += part.size
    steps = [0, 1, 3, 2, 4, 5, 7, 6, 9, 8, 11, 10]  # ahead, back, right, left; the same as jumps; aside
    return inputs, np.concatenate([walls, walls.size + walls, 2 * walls.size + np.array(steps)])


def policy_of(game: Any, weights: dict[str, Any], inputs: str, activation: str, mirror: bool = False) -> QNet:
    """A network as a policy, with scratch of its own; with `mirror` it takes the mean of a position and its mirror image."""
    kind = INPUTS[inputs]
    if game.SEATS != 2 or weights["w1"].shape[0] != inputs_of(game, kind) or weights["b3"].size != game.ACTIONS:
        raise InvalidSpec("the network was trained for another board: qnet plays Quoridor for two, 9 x 9 with 10 walls")
    seen, first = weights["w1"].shape
    record: Any = np.zeros(1, qnet_type(seen, first, weights["b2"].size, weights["b3"].size))
    record[0].inputs, record[0].bend = kind, ACTIVATIONS[activation]
    if mirror:
        record[0].both = 1
        record["inputs_swapped"][0], record["actions_swapped"][0] = mirrored(game, inputs)
    for name in WEIGHTS:
        record[name][0] = weights[name]
    return QNet(record[0])


def write_qnet(path: Path, weights: dict[str, Any], card: dict[str, Any]) -> None:
    """Writes a file whole or not at all."""
    write_weights(path, {name: weights[name] for name in WEIGHTS}, card)


def read_qnet(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """(weights, card) of a file; says in one line what is wrong with another."""
    try:
        weights, card = parse_weights(path.read_bytes(), WEIGHTS, ("inputs", "activation"))
    except OSError as error:
        raise InvalidSpec(f"{path}: {error.strerror}") from None
    except InvalidNetwork as error:
        raise InvalidSpec(f"{path}: not a network of Q-values ({error})") from None
    known = card["inputs"] in INPUTS and card["activation"] in ACTIVATIONS
    if not known or (card.get("mirror") and card["inputs"] == "published") or not _whole(weights):
        raise InvalidSpec(f"{path}: not a network of Q-values")
    return weights, card


def _whole(weights: dict[str, Any]) -> bool:
    """Do the shapes fit together?"""
    tables = [weights[name] for name in ("w1", "w2", "w3")]
    biases = [weights[name] for name in ("b1", "b2", "b3")]
    if any(table.ndim != 2 for table in tables):
        return False
    joined = all(one.shape[1] == two.shape[0] for one, two in pairwise(tables))
    return joined and all(table.shape[1:] == bias.shape for table, bias in zip(tables, biases, strict=True))


@lru_cache(maxsize=8)
def _loaded(path: Path, changed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    return read_qnet(path)


@dataclass
class QNetPlayer(PolicyPlayer):
    """A network trained by Q-learning plays the action it values highest, without search; 9 x 9 with 10 walls, two players."""

    file: str = setting("", "a network that `daedalus train quoridor --recipe fixed` made, instead of the one that comes along")

    BARE: ClassVar[str] = "file"

    def bind(self, game: Any) -> None:
        path = Path(self.file).expanduser() if self.file else SHIPPED
        weights, card = _loaded(path, path.stat().st_mtime_ns) if path.exists() else read_qnet(path)
        self._policy = policy_of(game, weights, card["inputs"], card["activation"], bool(card.get("mirror")))

    def policy(self) -> QNet:
        return self._policy

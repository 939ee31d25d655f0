"""Networks as files and as judges of a search."""

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from daedalus.core.options import parsed, written
from daedalus.core.registry import Registration, folder_of, game_names, make_game, registration_of

from .kernels.network import PASS, WEIGHTS, Net, network_type, shapes
from .safetensors import InvalidNetwork, parse_weights, write_weights

_KEPT = 16  # networks read lately


@dataclass(frozen=True, eq=False)
class Network:
    """The weights of a network by name, and its card: game, options, recipe, seed, cost, strength."""

    weights: dict[str, Any]
    card: dict[str, Any]

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """Inputs, first and second hidden layer, actions."""
        (features, first), second = self.weights["w1"].shape, len(self.weights["b2"])
        return features, first, second, len(self.weights["policy_bias"])

    def judge(self, game: Any) -> Net:
        """The network as an evaluation and a policy for a game, with scratch of its own: one for each thread."""
        self.demand_fits(game)
        record: Any = np.zeros(1, network_type(*self.sizes))
        record[0].seats, record[0].actions = game.SEATS, self.sizes[3]
        for name in WEIGHTS:
            values = self.weights[name]
            record[name][0][: len(values)] = values  # some have rows more, which stay 0
        return Net(record[0])

    def demand_fits(self, game: Any) -> None:
        """Refuses a game that the network was not made for."""
        name, (features, _, _, actions) = game_name(registration_of(game)), self.sizes
        if self.card["game"] != name:
            raise InvalidNetwork(f"the network was trained for {self.card['game']}, not for {name}")
        seen, choices = inputs_of(game), actions_of(game)
        if features != seen or actions not in (0, choices):
            raise InvalidNetwork(
                f"the network was trained for {self.title}: {features} inputs and {actions} actions, "
                f"not {seen} and {choices} as {' '.join(filter(None, (name, written(game))))} has"
            )

    @property
    def title(self) -> str:
        """The game with its options, as commands write it."""
        return " ".join(filter(None, (self.card["game"], self.card["options"])))

    def write(self, path: Path) -> None:
        """Writes the file whole or not at all."""
        write_weights(path, {name: self.weights[name] for name in WEIGHTS}, self.card)


def game_name(entry: Registration) -> str:
    """How a card names a game: a user's by its class alone, since files move."""
    return entry.name.rpartition(":")[2]


def inputs_of(game: Any) -> int:
    """How many numbers a network sees of a game; refuses one that shows none."""
    features = int(getattr(game, "FEATURES", 0))
    if not features:
        raise InvalidNetwork(f"{game_name(registration_of(game))} has no features for a network to see (docs/features.md)")
    return features


def actions_of(game: Any) -> int:
    """How many actions a policy tells apart, 0 if the game has not said."""
    return int(getattr(game, "ACTIONS", 0))


def read_network(path: str | os.PathLike[str]) -> Network:
    """The network in a file; says in one line what is wrong with another."""
    place = Path(path).expanduser()
    try:
        about = place.stat()
        return _read(place, about.st_mtime_ns, about.st_size)
    except OSError as error:
        raise InvalidNetwork(f"{path}: {error.strerror}") from None
    except InvalidNetwork as error:
        raise InvalidNetwork(f"{path}: {error}") from None


@lru_cache(maxsize=_KEPT)
def _read(path: Path, changed: int, size: int) -> Network:
    return parse_network(path.read_bytes())


def parse_network(contents: bytes) -> Network:
    """The network in the bytes of a file."""
    weights, card = parse_weights(contents, WEIGHTS, ("game", "options"))
    _demand_whole(weights)
    return Network(weights, card)


def _demand_whole(weights: dict[str, Any]) -> None:
    """Refuses weights whose shapes do not fit together."""
    if weights["w1"].ndim != 2 or not weights["w1"].size:
        raise InvalidNetwork("damaged: its first layer is no table")
    features, first = weights["w1"].shape
    expected = shapes(features, first, weights["b2"].size, weights["policy_bias"].size)
    if any(weights[name].shape != shape for name, shape in expected.items()):
        raise InvalidNetwork("damaged: the shapes of its weights do not fit together")
    if not weights["b2"].size or weights["b2"].size % PASS:
        raise InvalidNetwork(f"its second hidden layer has {weights['b2'].size} units: a multiple of {PASS} is wanted")


def shipped(game: Any) -> Network:
    """The network that comes with the package for a game: trained for its options, else for others that it fits."""
    entry = registration_of(game)
    fitting = [network for network in map(read_network, _files(entry)) if _fits(network, game)]
    if not fitting:
        asked = " ".join(filter(None, (entry.name, written(game))))
        raise InvalidNetwork(f"no network comes with Daedalus for {asked}: train one (daedalus train), then net:FILE")
    return min(fitting, key=lambda network: _differences(network, entry, game))


def _differences(network: Network, entry: Registration, game: Any) -> int:
    """How many options are other ones than the network was trained for."""
    trained: Any = make_game(entry.name, **parsed(network.card["options"]))
    return sum(ours != theirs for ours, theirs in zip(trained, game, strict=True))


def ships_network(entry: Registration) -> bool:
    """Does a network come with the package that plays a game with its usual options?"""
    game: Any = entry.rules()
    return any(_fits(read_network(file), game) for file in _files(entry))


def _files(entry: Registration) -> list[Path]:
    return sorted(folder_of(entry.name).glob("nets/*.safetensors")) if entry.name in game_names() else []


def _is_player(network: Network) -> bool:
    """Is it one for `net`? A game's own agents may keep others in the folder."""
    return bool(network.card.get("role", "net") == "net")


def _fits(network: Network, game: Any) -> bool:
    try:
        network.demand_fits(game)
    except InvalidNetwork:
        return False
    return _is_player(network)


def fresh_weights(features: int, first: int, second: int, actions: int, seed: int) -> dict[str, Any]:
    """Weights to begin training from (He's for the layers; heads near 0, so that nothing is believed yet)."""
    rng = np.random.default_rng(seed)
    made = {name: np.zeros(shape, np.float32) for name, shape in shapes(features, first, second, actions).items()}
    made["w1"] = _normal(rng, made["w1"].shape, (2 / min(features, 32)) ** 0.5)  # about so many inputs are active
    made["w2"] = _normal(rng, made["w2"].shape, (2 / first) ** 0.5)
    made["value"] = _normal(rng, made["value"].shape, 0.1 / second**0.5)
    made["policy"] = _normal(rng, made["policy"].shape, 0.1 / second**0.5)
    return made


def _normal(rng: Any, shape: tuple[int, ...], spread: float) -> Any:
    return (rng.standard_normal(shape) * spread).astype(np.float32)

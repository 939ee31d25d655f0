"""The rules of Saboteur: games of the published engine move by move, and hand-made positions."""

import gzip
import json
from pathlib import Path

import pytest

import daedalus
from daedalus import Position
from daedalus.core.compile import INTERPRETED

DATA = Path(__file__).parent / "data"
GAME = daedalus.game("saboteur")
COLUMNS = (3, 5, 7)  # of the objectives on row 12


def card(name):
    """`Tile:6` -> `6`, `Map` -> `map`."""
    return name.removeprefix("Tile:").lower()


def traces():
    """The published engine's games: the line that begins each, its steps."""
    with gzip.open(DATA / "saboteur_traces.jsonl.gz", "rt") as lines:
        games = []
        for line in map(json.loads, lines):
            if line["type"] == "init":
                games.append((line, []))
            elif line["type"] == "step":
                games[-1][1].append(line)
        return games


def text_of(state, deck, nugget):
    """A published state as our position text; the course's player 1 is seat 0."""
    tiles = sorted((row, col, name.replace("_flip", "f")) for row, col, name in state["board"] if name[0].isdigit())
    flags = (state["revealed"], state["seen1"], state["seen0"])
    fields = [
        str(1 - state["turn_player"]),
        f"{state['malus1']} {state['malus0']}",
        " ".join("".join(map(str, map(int, three))) for three in flags),
        " ".join("n" if col == nugget else "p" for col in COLUMNS),
        " ".join(map(card, state["hand1"])),
        " ".join(map(card, state["hand0"])),
        " ".join(map(card, deck[len(deck) - state["deck_size"] :])),
        " ".join(f"{row},{col}:{name}" for row, col, name in tiles),
    ]
    return " | ".join(fields).rstrip()


def move_of(text):
    """`Tile:6_flip 6 5` -> `6f@6,5`, `Drop 2 0` -> `drop:2`."""
    name, x, y = text.split()
    if name == "Drop":
        return f"drop:{x}"
    if name in ("Malus", "Bonus"):
        return name.lower()
    return f"{card(name).replace('_flip', 'f')}@{x},{y}"


@pytest.mark.interpreted
def test_the_published_engines_games_replay_without_a_difference():
    games = traces()
    assert len(games) == 50
    steps = 0
    for opening, moves in games[:: 10 if INTERPRETED else 1]:
        nugget = next(col for _, col, name in opening["state"]["board"] if name == "nugget")
        position = Position.from_text(GAME, text_of(opening["state"], opening["deck"], nugget))
        for step in moves:
            assert 1 - step["player"] == position.turn
            assert {str(move) for move in position.legal_moves} == {move_of(move) for move in step["legal"]}
            position.push(move_of(step["move"]))
            state = step["state"]
            won = state["winner"] in (0, 1)
            text = text_of(state, opening["deck"], nugget)
            ours = position.text if not won else f"{text[0]}{position.text[1:]}"  # the engine's turn after a win is idle
            assert ours == text
            outcome = position.outcome()
            assert (outcome is None) == (state["winner"] is None)
            if won:
                assert outcome.winner == 1 - state["winner"]
            elif outcome:
                assert outcome.payoffs == (0.0, 0.0)
            steps += 1
    assert steps > (150 if INTERPRETED else 2000)

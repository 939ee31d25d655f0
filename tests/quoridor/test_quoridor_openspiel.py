"""Legal moves beside OpenSpiel's in 50,000 positions of random games for two."""

import random

import numpy as np
import pytest

import daedalus
from daedalus import IllegalMove
from daedalus.core.memory import states, workspaces
from daedalus.core.registry import registration_of
from daedalus.games.quoridor.kernels.rules import H, V
from daedalus.games.quoridor.notation import cell
from daedalus.games.quoridor.text import flipped

POSITIONS = 50_000


class Translator:
    """Our number of OpenSpiel's actions: places in a grid of 17 x 17, walls in the gaps, steps relative to the pawn."""

    def __init__(self, game, start):
        self.game = game
        self.walls = {}
        for action in range(17 * 17):
            if (action // 17 + action % 17) % 2 == 1:
                text = start.action_to_string(0, action)
                if text[0] != "i" and text[1] != "9":  # others stick out of the board
                    self.walls[action] = self._number(text)

    def _number(self, text):
        ours = flipped(self.game, text)
        sort = {"h": H, "v": V}.get(ours[-1], 0)
        return sort + cell(self.game, ours.rstrip("hv"), IllegalMove)

    def numbers(self, state, actions):
        player = state.current_player()
        return [self.walls.get(a) or self._number(state.action_to_string(player, a)) for a in actions]


def test_legal_moves_are_openspiels():
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (pip install open_spiel)")
    game = daedalus.game("quoridor", cap=30000)
    theirs = pyspiel.load_game("quoridor(board_size=9)")
    translator = Translator(game, theirs.new_initial_state())
    steps = registration_of(game).kernels.load("daedalus.core.kernels.transitions")
    S, W, payoffs, choice = states(game, 1), workspaces(game, 1, 1), np.zeros(2), random.Random(1)
    seen = 0
    while seen < POSITIONS:
        S[:] = states(game, 1)
        steps.opening(game, S, W)
        state, share_of_walls = theirs.new_initial_state(), choice.choice((0.1, 0.3, 0.6, 0.9))
        while not state.is_terminal():
            actions = state.legal_actions()
            numbers = translator.numbers(state, actions)
            n = steps.survey(game, S, W, payoffs)[2]
            assert sorted(W["buf"][0, :n].tolist()) == sorted(numbers), str(state)
            seen += 1
            wall = choice.random() < share_of_walls
            k = choice.choice([i for i, m in enumerate(numbers) if (m >= H) == wall] or range(len(numbers)))
            steps.play(game, S, numbers[k])
            state.apply_action(actions[k])
        over = steps.survey(game, S, W, payoffs)[1]
        assert state.returns() == (payoffs.tolist() if over else [0.0, 0.0])

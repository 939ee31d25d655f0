"""OpenSpiel's State over one of our positions: a chance node for the deal where something is dealt, then the moves."""

from typing import Any

import pyspiel

from daedalus.core import Position

from .trail import Rules, Trail


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position in OpenSpiel. Its history (the deal, then actions) says all of it, so OpenSpiel's serialisation does too."""

    def __init__(self, game: Any, rules: Rules) -> None:
        super().__init__(game)
        self.trail = Trail(rules)
        if not rules.deals:
            self.trail.deal(0)

    @property
    def position(self) -> Position:
        """Our position, the truth: what an agent may know of it is its `view()`."""
        return self.trail.dealt

    def current_player(self) -> int:
        """Who is to move: a seat, chance, or nobody any more."""
        if self.trail.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.trail.over else self.trail.position.turn

    def is_terminal(self) -> bool:
        """Has the game ended?"""
        return self.trail.over

    def returns(self) -> list[float]:
        """What each seat has won."""
        return list(self.trail.payoffs)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, each as likely as the others."""
        deals = self.trail.rules.deals
        return [(number, 1 / deals) for number in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.trail.actions)

    def _apply_action(self, action: int) -> None:
        if self.trail.position is None:
            self.trail.deal(action)
        else:
            self.trail.push(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        legal = self.trail.actions if self.trail.position is not None and not self.trail.over else {}
        return str(self.position.move(legal[action])) if action in legal else f"action {action}"

    def action_of(self, move: int) -> int:
        """The number of a legal move."""
        return int(self.position.game.action(self.position.state, int(move)))

    def __str__(self) -> str:
        return "not dealt yet" if self.trail.position is None else self.trail.position.text

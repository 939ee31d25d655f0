"""Colosseum Survival! (specs: sizes 5 to 16, start rules 2022 and 2023)."""

from daedalus.core.registry import register

from . import agents, picture, text
from .kernels.rules import Colosseum
from .picture import svg_with_reach

GAME = register("colosseum", Colosseum, text, picture, agents)

__all__ = ["GAME", "Colosseum", "svg_with_reach"]

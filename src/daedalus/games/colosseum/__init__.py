"""Colosseum Survival! (specs: sizes 5 to 16, start rules 2022 and 2023)."""

from daedalus.core.registry import register

from . import agents, text
from .rules import Colosseum

GAME = register("colosseum", Colosseum, text, agents)

"""Labyrinth (specs: boards, rules and agents of the thesis; variants of its last chapter as options)."""

from daedalus.core.registry import register

from . import agents, picture, text
from .rules import Labyrinth

GAME = register("labyrinth", Labyrinth, text, picture, agents)

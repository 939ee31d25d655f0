"""Saboteur, the two-player course variant with hidden objectives."""

from daedalus.core.registry import register

from . import agents, picture, text
from .kernels.rules import Saboteur

GAME = register("saboteur", Saboteur, text, picture, agents)

"""Quoridor for two and four players on boards from 3 x 3 to 11 x 11."""

from daedalus.core.registry import register

from . import agents, picture, text
from .kernels.rules import Quoridor

GAME = register("quoridor", Quoridor, text, picture, agents)

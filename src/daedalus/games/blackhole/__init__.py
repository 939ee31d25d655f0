"""Black-Hole Escape (specs: sizes 5, 7, 9; the hole stops or swallows)."""

from daedalus.core.registry import register

from . import agents, picture, text
from .kernels.rules import BlackHole

GAME = register("blackhole", BlackHole, text, picture, agents)

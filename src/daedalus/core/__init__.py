"""What a game and an agent are: contract, compilation, positions, views, records, limits, thoughts, registry, check."""

from .agent import Agent, Candidate, Thought, Watch
from .compile import helper, kernel
from .contract import ONLOOKER, Game
from .errors import (
    DaedalusError,
    EngineFailure,
    IllegalMove,
    InvalidGame,
    InvalidOption,
    InvalidRecord,
    InvalidSpec,
    InvalidText,
    UntrustedCode,
)
from .kernels.bits import ONE, ZERO, U, lowest, mix64, nonzero, nth_bit, popcount
from .kernels.random import random_below, random_bits, random_unit, scramble, shuffle
from .limits import Clock, Limit
from .options import Choice, Number, Option, Real, Switch, Text, Word, options_of, setting
from .position import LegalMoves, Move, Outcome, Position
from .record import Record, Remark, append_record, read_records

__all__ = [
    "ONE",
    "ONLOOKER",
    "ZERO",
    "Agent",
    "Candidate",
    "Choice",
    "Clock",
    "DaedalusError",
    "EngineFailure",
    "Game",
    "IllegalMove",
    "InvalidGame",
    "InvalidOption",
    "InvalidRecord",
    "InvalidSpec",
    "InvalidText",
    "LegalMoves",
    "Limit",
    "Move",
    "Number",
    "Option",
    "Outcome",
    "Position",
    "Real",
    "Record",
    "Remark",
    "Switch",
    "Text",
    "Thought",
    "U",
    "UntrustedCode",
    "Watch",
    "Word",
    "append_record",
    "helper",
    "kernel",
    "lowest",
    "mix64",
    "nonzero",
    "nth_bit",
    "options_of",
    "popcount",
    "random_below",
    "random_bits",
    "random_unit",
    "read_records",
    "scramble",
    "setting",
    "shuffle",
]

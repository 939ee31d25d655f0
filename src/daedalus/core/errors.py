"""The error family: every mistake a user can make is a `DaedalusError` that says what was wrong and what would be right."""

from collections.abc import Iterable
from difflib import get_close_matches

from .printable import printable


class DaedalusError(ValueError):
    """Anything wrong with what the user gave; the message is one line fit for a screen, whatever text it quotes."""

    def __init__(self, message: object = "") -> None:
        super().__init__(printable(str(message)))


class InvalidGame(DaedalusError):
    """A game class breaks the contract."""


class InvalidOption(DaedalusError):
    """An unknown option of a game, or a value it does not take."""


class IllegalMove(DaedalusError):
    """A move that the position does not allow."""


class InvalidText(DaedalusError):
    """A text that cannot be read as what it should be."""


class InvalidRecord(InvalidText):
    """A record that cannot be read or does not replay."""


class InvalidSpec(DaedalusError):
    """An agent spec with an unknown name or option."""


class UntrustedCode(DaedalusError):
    """A record, a store or a request names Python code that would have to run, and nobody has allowed that."""


class EngineFailure(DaedalusError):
    """An external engine was late, illegal, silent, or died."""


def valid(kind: str, given: str, choices: Iterable[str]) -> str:
    """The sentence for an unknown name: what was given, what it may have meant, what there is."""
    known = sorted(choices)
    near = get_close_matches(given[:80], known, n=1)
    guess = f" did you mean '{near[0]}'?" if near else ""
    return f"unknown {kind} '{printable(given, 80)}';{guess} valid: {', '.join(known) or 'none'}"

"""How a position, a result and a thought are put into words."""

from typing import Any

from daedalus.core import DaedalusError, Game, IllegalMove, Outcome, Position, Thought
from daedalus.core.options import options_of, written
from daedalus.core.registry import registration_of

_NOTE = 200  # letters of an agent's remark that are shown
_LINE = 500  # letters of an error's message


def seat_name(game: Game, seat: int) -> str:
    """What the game calls a seat: `Red`, else `seat 0`."""
    names: tuple[str, ...] = getattr(game, "SEAT_NAMES", ())
    return names[seat] if seat < len(names) else f"seat {seat}"


def seat_number(game: Game, text: str) -> int:
    """The seat that a user means by its number or its name."""
    names = [seat_name(game, seat) for seat in range(game.SEATS)]
    for seat, name in enumerate(names):
        if text.lower() in (str(seat), name.lower()):
            return seat
    raise IllegalMove(f"there is no seat '{text}'; valid: {', '.join(f'{i} ({name})' for i, name in enumerate(names))}")


def title(game: Game) -> str:
    """The game with the options that are not at their defaults: `blackhole size=7`."""
    return f"{registration_of(game).name} {written(game)}".strip()


def option_values(game: Game) -> dict[str, str]:
    """Every option of the game as the user writes it."""
    return {option.name: str(option.default_text) for option in options_of(game)}


def result(game: Game, outcome: Outcome) -> str:
    """`Blue wins: Blue has 2 ships home`."""
    if outcome.winner is not None:
        return f"{seat_name(game, outcome.winner)} wins: {outcome.reason}"
    if len(set(outcome.payoffs)) == 1:
        return f"Draw: {outcome.reason}"
    shares = ", ".join(f"{seat_name(game, seat)} {payoff:+.2f}" for seat, payoff in enumerate(outcome.payoffs))
    return f"Over: {outcome.reason} ({shares})"


def standing(position: Position) -> str:
    """Who is to move, or how it ended."""
    outcome = position.outcome()
    return result(position.game, outcome) if outcome else f"{seat_name(position.game, position.turn)} to move"


def value(number: float | None) -> str:
    """A value in [-1, 1] with its sign; nothing when there is none."""
    return "" if number is None else f"{number:+.3f}"


def effort(thought: Thought) -> str:
    """What a thought cost: simulations, depth, seconds."""
    parts = [
        f"{thought.simulations:,} simulations" if thought.simulations else "",
        f"depth {thought.depth}" if thought.depth else "",
        f"{thought.seconds:.2f} s",
    ]
    return ", ".join(filter(None, parts))


def thought(thought: Thought) -> str:
    """A thought in one line: move, value, remark, effort."""
    return f"{thought.move}   {judgement(thought)}"


def judgement(thought: Thought) -> str:
    """What a thought says beside its move."""
    parts = [
        f"value {value(thought.value)}" if thought.value is not None else "",
        " ".join(thought.note.split())[:_NOTE],
        effort(thought),
    ]
    return "   ".join(filter(None, parts))


def story(position: Position, since: int | None = None) -> list[str]:
    """Who made which move, from the start or from the last move of the seat `since`."""
    back, told = position.copy(), []
    while back.history:
        move = back.pop()
        told.append(f"{seat_name(back.game, back.turn)} {move}")
        if back.turn == since:
            break
    return told[::-1]


def one_line(error: BaseException) -> str:
    """What went wrong in one line; errors that are not ours also say what they are."""
    try:
        text = " ".join(str(error).split())[:_LINE]
    except Exception:  # of a class that cannot even say what it is
        return type(error).__name__
    if isinstance(error, DaedalusError):
        return text
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def facts(position: Position) -> dict[str, Any]:
    """A position for programs: everything `show` prints, as JSON takes it."""
    outcome = position.outcome()
    return {
        "game": position.name,
        "options": option_values(position.game),
        "position": position.text,
        "turn": position.turn,
        "to_move": seat_name(position.game, position.turn),
        "view": position.seat,
        "summary": position.summary,
        "last": str(position.last) if position.last is not None else None,
        "legal_moves": [str(move) for move in position.legal_moves],
        "outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason, "payoffs": list(outcome.payoffs)},
    }

"""What an engine is sent in a game with hidden cards: the same for any two truths that its seat cannot tell apart."""

import json
import random
from collections.abc import Iterator

import pytest
from saboteur.test_saboteur_leaks import pairs

import daedalus
from daedalus import Limit, Position
from daedalus.agents.engine_messages import request
from daedalus.core.record import Record

PAIRS = 40
SMALL = "L1RI1AL2Y/T3aI0bT1c/L0GI1dL3B I0A R - R0,0;B2,2"


def sent(position: Position, seat: int) -> str:
    """The request as the engine reads it."""
    return json.dumps(request(1, position.view(seat, seed=7), Limit(seconds=1), seed=5))


def labyrinth_pairs() -> Iterator[tuple[Position, Position, int]]:
    """The same moves from two deals; as long as neither finds a card, Red knows its own next one and nothing else."""
    game, chance = daedalus.game("labyrinth", board="3x3"), random.Random(3)
    made = 0
    while made < PAIRS:
        first, *rest = chance.sample("abcd", 4)
        other = rest[:]
        chance.shuffle(other)
        deals = [f"R:|{first}{cards[0]};B:|{cards[1]}{cards[2]}" for cards in (rest, other)]
        position, twin = (Position.from_text(game, f"{SMALL} {deal} 0") for deal in deals)
        for _ in range(chance.randrange(5)):
            move = str(chance.choice(position.legal_moves))
            if position.outcome() or twin.outcome() or move not in twin.legal_moves:
                break
            position.push(move)
            twin.push(move)
        untouched = [text.split()[5] == deal for text, deal in zip((position.text, twin.text), deals, strict=True)]
        if other != rest and all(untouched) and position.turn == 0:
            made += 1
            yield position, twin, 0


def saboteur_pairs() -> Iterator[tuple[Position, Position, int]]:
    return (pair for pair in pairs(PAIRS) if pair[2] == pair[0].turn)


@pytest.mark.parametrize("made", [labyrinth_pairs, saboteur_pairs])
def test_a_request_is_the_same_for_truths_that_the_seat_cannot_tell_apart(made) -> None:  # type: ignore[no-untyped-def]
    seen = 0
    for position, twin, seat in made():
        assert position.text != twin.text
        assert sent(position, seat) == sent(twin, seat)
        seen += 1
    assert seen > PAIRS // 2


@pytest.mark.parametrize("name", ["labyrinth", "saboteur"])
def test_neither_a_request_nor_a_view_of_a_hidden_game_tells_the_deal(name: str) -> None:
    position = daedalus.new(name, seed=987654321)
    position.push(position.legal_moves[0])
    asked = request(1, position.view(), Limit(), seed=5)
    assert asked["start"] is None and asked["seed"] == 5 and "987654321" not in json.dumps(asked)
    with pytest.raises(daedalus.InvalidRecord, match="true deal"):
        Record.from_position(position.view())

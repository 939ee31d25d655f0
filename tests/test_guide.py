"""What games tell newcomers: every lesson can be played and the last one wins; rules and notation are there to read."""

import re
from pathlib import Path

import pytest

import daedalus
from daedalus.core.guide import guide_of
from daedalus.core.registry import find, game_names, headline

GAMES = game_names()


@pytest.mark.parametrize("name", GAMES)
def test_every_lesson_is_solved_by_each_move_it_wants_and_the_last_one_won(name):
    lessons = guide_of(daedalus.game(name)).lessons
    assert len(lessons) >= 3
    for lesson in lessons:
        position = lesson.begin(find(name))
        assert position.turn == 0 and position.outcome() is None
        for move in lesson.wanted:
            after = position.copy()
            after.push(move)  # legal, also for who knows only what the seat knows
            assert str(position.view().parse(move)) == move
            won = after.outcome() is not None and after.outcome().winner == 0
            assert won == (lesson is lessons[-1])
        assert any(f"`{move}`" in lesson.say + lesson.other for move in lesson.wanted)
        assert any(str(move) not in lesson.wanted for move in position.legal_moves)


@pytest.mark.parametrize("name", GAMES)
def test_lessons_and_notation_name_no_move_that_is_unlike_a_move(name):
    """What stands in backquotes and looks like a move is one of the lesson's, so that who copies it succeeds."""
    for lesson in guide_of(daedalus.game(name)).lessons:
        position = lesson.begin(find(name))
        looks = [
            word for word in re.findall("`([^`]+)`", lesson.say + lesson.other) if re.search(r"\d", word) or word == "malus"
        ]
        moves = [word for word in looks if word not in ("S1",)]
        assert moves and all(move in lesson.wanted for move in moves), (moves, position.text)


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_is_explained_in_words_of_its_own(name):
    for seed in (1, 2):
        position = daedalus.new(name, seed=seed)
        for _ in range(6):
            said = {position.view().spoken_move(move) for move in position.legal_moves}
            assert len(said) == len(position.legal_moves) and all(said)
            position.push(position.legal_moves[len(position.legal_moves) // 2])


@pytest.mark.parametrize(
    "game, options, text, move, words",
    [
        ("quoridor", {}, "/ / e1 e9 / 10 10 / 1", "e2", "the pawn goes to e2"),
        ("quoridor", {}, "/ / e4 e5 / 10 10 / 1", "e6", "the pawn jumps to e6"),
        ("quoridor", {}, "/ / e1 e9 / 10 10 / 1", "e3h", "a horizontal wall above e3 and f3"),
        ("quoridor", {}, "/ / e1 e9 / 10 10 / 1", "e3v", "a vertical wall right of e3 and e4"),
        ("blackhole", {}, "R..../...../R.*BR/.B.../B...B R", "a3-c3", "the ship on a3 slides right into the hole"),
        ("blackhole", {}, "R..../...../R.*BR/.B.../B...B R", "a5-e5", "the ship on a5 slides right to e5"),
        ("colosseum", {"size": 5}, "5 2,2 4,4 A | 3,4d", "4,3r", "walk to row 4, column 3, and put a wall on the right"),
        ("colosseum", {"size": 5}, "5 2,2 4,4 A | 3,4d", "2,2u", "stay on row 2, column 2, and put a wall above"),
    ],
)
def test_a_move_in_words(game, options, text, move, words):
    position = daedalus.Position.from_text(daedalus.game(game, **options), text)
    assert position.spoken_move(position.parse(move)) == words


def test_moves_of_hidden_games_in_words():
    saboteur = find("saboteur")
    lessons = guide_of(saboteur.rules()).lessons
    say = {}
    for lesson in lessons:
        position = lesson.begin(saboteur)
        say |= {move: position.spoken_move(position.parse(move)) for move in (*lesson.wanted, "drop:c")}
    assert say["0@6,5"] == "lay tile 0 on row 6, column 5 (open up and down)"
    assert say["map@12,5"] == "look at the hidden card on row 12, column 5"
    assert say["malus"] == "a malus for Blue, who then lays no tiles"
    assert say["drop:c"] == "drop card c of the hand"
    labyrinth = guide_of(daedalus.game("labyrinth")).lessons[0].begin(find("labyrinth"))
    assert labyrinth.spoken_move(labyrinth.parse("S1L0-0,1")) == (
        "push the extra tile as L0 (open up and right) from below into column 1, and end on row 0, column 1"
    )


def test_a_game_of_ones_own_tells_what_its_class_tells():
    place = f"{Path(__file__).parent / 'highcard.py'}:HighCard"
    position = daedalus.new(place, seed=1)
    guide = guide_of(position)
    assert guide.sentence == headline(find(place).rules) and guide.rules.startswith(guide.sentence)
    assert guide.notation and guide.lessons == ()

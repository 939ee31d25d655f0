"""The rules of Saboteur: games of the published engine move by move, and hand-made positions."""

import csv
import gzip
import json
from pathlib import Path

import pytest

import daedalus
from daedalus import Position
from daedalus.core import Record
from daedalus.core.compile import INTERPRETED

DATA = Path(__file__).parents[2] / "data"
GAME = daedalus.game("saboteur")
COLUMNS = (3, 5, 7)  # of the objectives on row 12


def card(name):
    """`Tile:6` -> `6`, `Map` -> `map`."""
    return name.removeprefix("Tile:").lower()


def traces():
    """The published engine's games: the line that begins each, its steps."""
    with gzip.open(DATA / "saboteur_traces.jsonl.gz", "rt") as lines:
        games = []
        for line in map(json.loads, lines):
            if line["type"] == "init":
                games.append((line, []))
            elif line["type"] == "step":
                games[-1][1].append(line)
        return games


def text_of(state, deck, nugget):
    """A published state as our position text; the course's player 1 is seat 0."""
    tiles = sorted((row, col, name.replace("_flip", "f")) for row, col, name in state["board"] if name[0].isdigit())
    flags = (state["revealed"], state["seen1"], state["seen0"])
    fields = [
        str(1 - state["turn_player"]),
        f"{state['malus1']} {state['malus0']}",
        " ".join("".join(map(str, map(int, three))) for three in flags),
        " ".join("n" if col == nugget else "p" for col in COLUMNS),
        " ".join(map(card, state["hand1"])),
        " ".join(map(card, state["hand0"])),
        " ".join(map(card, deck[len(deck) - state["deck_size"] :])),
        " ".join(f"{row},{col}:{name}" for row, col, name in tiles),
    ]
    return " | ".join(fields)


def move_of(text):
    """`Tile:6_flip 6 5` -> `6f@6,5`, `Drop 2 0` -> `drop:c`."""
    name, x, y = text.split()
    if name == "Drop":
        return f"drop:{'abcdefg'[int(x)]}"
    if name in ("Malus", "Bonus"):
        return name.lower()
    return f"{card(name).replace('_flip', 'f')}@{x},{y}"


@pytest.mark.interpreted
def test_the_published_engines_games_replay_without_a_difference():
    games = traces()
    assert len(games) == 50
    steps = 0
    for opening, moves in games[:: 10 if INTERPRETED else 1]:
        nugget = next(col for _, col, name in opening["state"]["board"] if name == "nugget")
        position = Position.from_text(GAME, text_of(opening["state"], opening["deck"], nugget))
        for step in moves:
            assert 1 - step["player"] == position.turn
            assert {str(move) for move in position.legal_moves} == {move_of(move) for move in step["legal"]}
            position.push(move_of(step["move"]))
            state = step["state"]
            won = state["winner"] in (0, 1)
            text = text_of(state, opening["deck"], nugget)
            ours = f"{text[0]}{position.text[1:]}" if won else position.text  # the engine does not pass the turn after a win
            assert ours == text
            outcome = position.outcome()
            assert (outcome is None) == (state["winner"] is None)
            if won:
                assert outcome.winner == 1 - state["winner"]
            elif outcome:
                assert outcome.payoffs == (0.0, 0.0)
            steps += 1
    assert steps > (150 if INTERPRETED else 2000)


# --- hand-made positions --------------------------------------------------------------------------------------------

pytestmark = pytest.mark.interpreted


def position(hand="8", tiles="", goals="p n p", malus="0 0", flags="000 000 000", other="8", deck="8", turn=0):
    """Seat `turn` to move with `hand`."""
    hands = [hand, other] if turn == 0 else [other, hand]
    return Position.from_text(GAME, f"{turn} | {malus} | {flags} | {goals} | {hands[0]} | {hands[1]} | {deck} | {tiles}")


def legal(board):
    return {str(move) for move in board.legal_moves}


PATH = "6,5:0 7,5:0 8,5:0 9,5:0 10,5:6"  # from the entrance down to one cell above row 11


def test_the_tile_table_and_the_deck_are_the_published_ones():
    from daedalus.games.saboteur.kernels.tiles import CARD, CENTRE, LAID, SIDES, STANDARD, THROUGH, TILES, TURNED
    from daedalus.games.saboteur.text import tile_name

    with (DATA / "saboteur_tiles.csv").open() as lines:
        rows = {row["name"].replace("_flip", "f"): row for row in csv.DictReader(lines) if row["base"].isdigit()}
    assert {tile_name(laid) for laid in range(LAID)} == set(rows)
    for laid in range(LAID):
        row = rows[tile_name(laid)]
        assert [SIDES[laid] >> d & 1 for d in range(4)] == [int(row[side]) for side in ("north", "east", "south", "west")]
        assert CENTRE[laid] == int(row["centre"]) and THROUGH[laid] == int(row["through"])
        assert (TURNED[CARD[laid]] >= 0) == bool(int(row["flippable"]))
    with (DATA / "saboteur_deck.csv").open() as lines:
        counts = {card(row["card"]): int(row["count"]) for row in csv.DictReader(lines)}
    from daedalus.games.saboteur.deck import NAMES

    assert dict(zip(NAMES, STANDARD, strict=True)) == counts and TILES == 16


def test_a_game_begins_with_seven_cards_each_and_41_to_draw():
    board = Position(GAME, 5)
    assert board.turn == 0 and board.state.held.tolist() == [7, 7] and board.state.left == 41
    cards = [card for field in board.text.split(" | ")[4:7] for card in field.split()]
    assert len(cards) == 55 and sorted(board.text.split(" | ")[3].split()) == ["n", "p", "p"]


def test_tiles_must_match_all_their_neighbours_and_join_a_path():
    board = position("0 10 5", "6,5:0")
    assert "0@7,5" in legal(board)
    assert "10@7,5" not in legal(board), "its closed north side meets the open south side of the tile above"
    assert "10@6,6" not in legal(board), "it would join only the closed side of the tile on 6,5"
    assert "5f@7,5" in legal(board) and "5@7,5" not in legal(board)


def test_an_island_may_be_extended_without_a_connection_to_the_entrance():
    board = position("0", "8,5:0", other="8")
    assert {"0@7,5", "0@9,5"} <= legal(board)


def test_dead_ends_count_as_a_joint():
    assert "0@8,5" in legal(position("0", "6,5:0 7,5:1"))


def test_a_hidden_objective_neither_constrains_nor_joins_and_a_revealed_one_does_both():
    assert legal(position("10", "11,5:0")) == {"drop:a", "10@5,4", "10@5,6"}, (
        "12,4 and 12,6 touch nothing but hidden objectives"
    )
    shown = position("10 15", f"{PATH} 11,5:6 ", flags="010 010 010", goals="n p p")
    assert {"10@12,4", "10@12,6", "15@12,4"} <= legal(shown)


def test_the_mover_who_joins_the_nugget_wins_whoever_built_the_path():
    board = position("8", PATH, turn=1)
    board.push("8@11,5")
    assert board.outcome().winner == 1 and board.outcome().payoffs == (-1.0, 1.0)
    assert board.outcome().reason == "Blue has found the nugget"


def test_a_plain_objective_is_revealed_to_both_and_the_game_goes_on():
    board = position("8", PATH, goals="n p p")
    board.push("8@11,5")
    assert board.outcome() is None and board.text.split(" | ")[2] == "010 010 010"
    assert [board.view(seat).text.split(" | ")[3] for seat in (0, 1)] == ["? p ?", "? p ?"]


def test_a_dead_end_reveals_nothing():
    board = position("1", PATH)
    board.push("1@11,5")
    assert board.outcome() is None and board.text.split(" | ")[2] == "000 000 000"


def test_hidden_objectives_conduct_so_that_one_move_may_reveal_two():
    board = position("8", f"{PATH} 12,4:10", goals="p p n")
    board.push("8@11,5")
    assert board.text.split(" | ")[2] == "110 110 110" and board.outcome() is None
    won = position("8", f"{PATH} 12,4:10", goals="n p p")
    won.push("8@11,5")
    assert won.outcome().winner == 0


def test_a_revealed_objective_stays_revealed_when_the_path_is_destroyed():
    board = position("8 destroy", PATH, goals="n p p", other="8 8")
    board.push("8@11,5")
    board.push("drop:a")
    board.push("destroy@8,5")
    assert board.text.split(" | ")[2] == "010 010 010" and "8,5" not in board.text.split(" | ")[7]
    assert "8@8,5" in legal(board)


def test_destroy_takes_laid_tiles_only():
    board = position("destroy", "6,5:0 5,4:10", flags="010 010 010", goals="n p p")
    assert {move for move in legal(board) if move.startswith("destroy")} == {"destroy@6,5", "destroy@5,4"}


def test_under_a_malus_no_tiles_may_be_laid_and_a_bonus_takes_one_away():
    board = position("8 bonus malus map destroy", "6,5:0", malus="1 0")
    assert {move for move in legal(board) if not move.startswith("drop")} == {
        "bonus",
        "malus",
        "map@12,3",
        "map@12,5",
        "map@12,7",
        "destroy@6,5",
    }
    board = position("8 bonus", malus="2 0")
    board.push("bonus")
    assert board.text.split(" | ")[1] == "1 0"
    assert "bonus" not in legal(position("8 bonus"))


def test_a_malus_counts_against_the_other_seat():
    board = position("malus malus", turn=1, other="8")
    board.push("malus")
    assert board.text.split(" | ")[1] == "1 0" and legal(board) == {"drop:a"}


def test_a_map_looks_at_objectives_that_are_not_revealed_also_twice():
    board = position("map", flags="010 011 010", goals="n p p")
    assert {move for move in legal(board) if move.startswith("map")} == {"map@12,3", "map@12,7"}


def test_the_first_card_of_its_kind_is_played_and_the_drawn_one_comes_last():
    board = position("0 8 10 8", deck="5 7")
    board.push("8@6,5")
    assert board.text.split(" | ")[4] == "0 10 8 5" and board.text.split(" | ")[6] == "7"


def test_when_all_cards_are_gone_it_is_a_draw():
    board = position("8", other="8", deck="")
    board.push("drop:a")
    assert board.outcome() is None
    board.push("drop:a")
    assert board.outcome().payoffs == (0.0, 0.0) and board.outcome().reason == "all cards are played"


@pytest.mark.skipif(INTERPRETED, reason="whole games")
def test_a_game_lasts_at_most_55_moves_and_random_games_are_draws():
    from daedalus.search import playouts

    played = [playouts(Position(GAME, seed), 100, seed=seed) for seed in range(30)]
    assert sum(run.draws for run in played) > 0.99 * 3000
    assert 54 < sum(run.plies for run in played) / 30 <= 55


# --- options --------------------------------------------------------------------------------------------------------


def test_four_or_six_maps_and_the_hand_size_are_options():
    few = daedalus.new("saboteur", maps=4, hand=5, seed=1)
    assert few.state.held.tolist() == [5, 5] and few.state.left == 53 - 10
    with pytest.raises(daedalus.InvalidOption, match="4|6"):
        daedalus.game("saboteur", maps=5)
    with pytest.raises(daedalus.InvalidOption, match="too small"):
        daedalus.game("saboteur", hand=12, deck="1," * 19 + "1")


def test_a_deck_comes_from_a_file_and_goes_through_a_record(tmp_path):
    file = tmp_path / "deck.csv"
    file.write_text("card,count\nTile:8,20\n0,3\nMap,5\nmalus,1\n")
    game = daedalus.game("saboteur", deck=str(file))
    assert game.cards == 29 and game.counts[16] == 5 and game.counts[8] == 20
    board = Position(game, 3)
    for _ in range(6):
        board.push(board.legal_moves[0])
    again = Record.parse(Record.from_position(board).text).replay()
    assert again.bits == board.bits
    assert daedalus.game("saboteur", deck=DATA / "saboteur_deck.csv").counts == GAME.counts


@pytest.mark.parametrize(
    "lines, reason",
    [
        ("8;20", "line 2: write a card and its count"),
        ("nugget,2", "line 2: unknown card 'nugget'"),
        ("8,x", "line 2: write a card"),
        ("8,200", "200 cards '8'; 0 to 99"),
        ("8,1,1", "line 2: write a card"),
        ("8,20\n0,3\ntile:8,4", "line 4: card '8' for the second time"),
        ("8,13", "a deck of 19 cards is too small for two hands of 12"),
        ("8,20\n\xff", "cannot be read"),
    ],
)
def test_a_deck_file_that_says_nonsense_is_refused_with_the_line(tmp_path, lines, reason):
    file = tmp_path / "deck.csv"
    file.write_bytes(f"card,count\n{lines}\n".encode("latin-1"))
    with pytest.raises(daedalus.InvalidOption, match=reason):
        daedalus.game("saboteur", deck=str(file), hand=12)


def test_a_deck_file_that_is_not_there_is_named():
    with pytest.raises(daedalus.InvalidOption, match="nowhere.csv: there is no such file"):
        daedalus.game("saboteur", deck="nowhere.csv")

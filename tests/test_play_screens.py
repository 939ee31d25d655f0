"""Whole games on real terminals of 80 x 24 and 60 x 20: every board fits, and nothing has to be scrolled back to."""

import re

import pytest
from tmux import PLAY, Tmux, environment, needs_tmux

import daedalus
from daedalus import Position
from daedalus.core.record import Record
from daedalus.core.registry import find

SIZES = ((80, 24), (60, 20))
NUGGET = "0 | 0 0 | 000 010 000 | p n p | 10 map 0 | 1 15 3 | 7 6 8 9 | 6,5:0 7,5:8 8,5:0 9,5:6"
MAZE = "L1RI1AL2Y/L2aT1dL3A/L0GT1bL3B L3c R - R0,0;B2,2 R:|db;B:|ac 0"

# game, options, the start, the opponent, whom the test asks for its moves
GAMES = {
    "blackhole": ({"hole": "pass"}, None, "random", "alphabeta:depth=4"),
    "colosseum": ({"size": 5}, "5 0,0 4,4 A | 3,4d", "walk", "expert:depth=1"),
    "labyrinth": ({"board": "3x3"}, MAZE, "random", "rulebased"),
    "quoridor": ({"width": 5, "height": 5, "walls": 2}, None, "path", "expert:depth=2"),
    "saboteur": ({}, NUGGET, "greedy", "careful"),
}


def start(name):
    options, text, _, _ = GAMES[name]
    game = daedalus.game(name, **options)
    return Position(game, 1) if text is None else Position.from_text(game, text)


def fits(shown, columns, lines):
    """Is the whole board on the screen: the headline above, the prompt below?"""
    rows = shown.rstrip("\n").split("\n")
    return rows[0].startswith(tuple(GAMES)) and len(rows) <= lines and max(map(len, rows)) <= columns


def play(terminal, name, columns, lines):
    """Plays a game to its end, reading the opponent's moves from the screen; returns how it ended."""
    position = start(name)
    opponent, adviser = GAMES[name][2], daedalus.agent(GAMES[name][3], position.game, seed=1)
    me, other = position.game.SEAT_NAMES[:2]
    while position.outcome() is None:
        ply = f"ply {len(position.history)} "
        shown = terminal.wait(ply, f"\n{me}>")
        assert fits(shown, columns, lines), shown
        assert position.view().summary.split("   ")[0] in shown
        move = adviser.choose(position.view()).move
        position.push(str(move))
        terminal.enter(str(move))
        if position.outcome() is None:
            ready = f"ply {len(position.history) + 1} "
            shown = terminal.until(lambda shown, ready=ready: ready in shown and f"{other} ({opponent}) " in shown, ready)
            told = next(line for line in shown.split("\n") if line.startswith(f"{other} ({opponent}) "))
            position.push(told.removeprefix(f"{other} ({opponent}) ").split("   ")[0].strip())
    shown = terminal.wait("over>", position.outcome().reason)
    assert fits(shown, columns, lines), shown
    return position


@needs_tmux
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played_at_80_x_24_and_at_60_x_20(name, tmp_path):
    options, text, opponent, _ = GAMES[name]
    given = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
    at = [] if text is None else ["--position", text]
    again = tmp_path / "again.txt"  # hidden games are dealt anew by `new`: the test must know the deal
    again.write_text(Record.from_position(start(name), ["human", opponent]).text)
    command = [*PLAY, name, *given, *at, "--seats", f"human,{opponent}", "--seed", "1"]
    with Tmux(command, environment(tmp_path), *SIZES[0]) as terminal:
        ended = play(terminal, name, *SIZES[0])
        assert ended.history
        terminal.enter("history")
        terminal.wait("Enter goes back", f"1. {ended.game.SEAT_NAMES[0]} {ended.history[0]}")
        terminal.enter("")
        terminal.wait("over>")
        terminal.resize(*SIZES[1])
        terminal.enter(f"load {again}" if text else "new")
        terminal.wait("Loaded" if text else "A new game")
        play(terminal, name, *SIZES[1])
        terminal.enter("")
        terminal.ended()


@needs_tmux
def test_a_stranger_learns_the_game_without_leaving_the_program(tmp_path):
    """Menu, rules, lessons with a slip, the notation of a move, a level, the other side of the board."""
    lessons = find("quoridor").module("guide").LESSONS
    with Tmux(PLAY, environment(tmp_path)) as terminal:
        terminal.wait("Which game?", "[blackhole]>")
        terminal.enter("quoridor")
        terminal.wait("Against whom?", "1  novice", "2  club", "3  strong", "4  expert", "5  coach")
        terminal.enter("")
        terminal.wait("Where do you sit?")
        terminal.enter("")
        terminal.wait("White>", "New here?", "Black: novice")
        terminal.enter("rules")
        shown = terminal.wait("Goal.", "Your turn", "End.", "Enter goes back")
        assert shown.startswith("A race across the board") and " W " in shown
        terminal.enter("")
        terminal.wait("White>", "ply 0")
        terminal.enter("learn")
        terminal.wait("Lesson 1 of 3", "your move>")
        terminal.enter("b1")
        terminal.wait("up is where you want to go")
        for number, lesson in enumerate(lessons, 1):
            terminal.wait(f"Lesson {number} of 3", "your move>")
            terminal.enter(lesson.wanted[0])
            terminal.wait(lesson.done[:20], "Enter")
            terminal.enter("")
        terminal.wait("White>", "ply 0")
        terminal.enter("help e3h")
        terminal.wait("wall above e3 and f3")
        terminal.enter("help e3")
        terminal.wait("too far for the pawn on e1")
        terminal.enter("level club")
        terminal.wait("Black: club", "Your opponent is now club")
        terminal.enter("flip")
        terminal.until(lambda shown: re.search("\n 1 .*\n 9 ", shown, re.DOTALL) is not None, "the flipped board")
        terminal.enter("help")
        terminal.wait("Moves.", "Commands.", "flip", "Enter goes back")
        terminal.type("C-d")
        terminal.ended()

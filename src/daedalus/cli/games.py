"""Commands about games and positions: play, replay, show, analyse, and the rules' own: perft, check, bench, warm, solve."""

from pathlib import Path
from typing import Annotated

import typer

from . import completion
from .app import (
    AllowCode,
    AnyGame,
    Game,
    Json,
    LimitText,
    Options,
    Ply,
    PositionText,
    RecordFile,
    Seed,
    View,
    app,
    limit_of,
    screen_here,
    seed_of,
    trust,
    trust_record,
)


@app.command(epilog="Example: daedalus games --json")
def games(as_json: Json = False) -> None:
    """The games with their options."""
    from daedalus.terminal import catalogue

    catalogue.games(screen_here(), as_json)


@app.command(epilog="Example: daedalus agents blackhole")
def agents(game: AnyGame = None, as_json: Json = False) -> None:
    """The agents that can be named, with their options."""
    from daedalus.terminal import catalogue

    catalogue.agents(screen_here(), game, as_json)


@app.command(epilog="Example: daedalus show blackhole -o size=7 --svg board.svg")
def show(
    game: AnyGame = None,
    options: Options = None,
    position: PositionText = None,
    seed: Seed = None,
    record: RecordFile = None,
    ply: Ply = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the picture as SVG.")] = None,
    moves: Annotated[bool, typer.Option("--moves", help="List the legal moves.")] = False,
    features: Annotated[bool, typer.Option("--features", help="What a network sees, instead of the picture.")] = False,
    view: View = None,
    allow_code: AllowCode = False,
    as_json: Json = False,
) -> None:
    """A position: its picture, its text, who is to move."""
    from daedalus.core import InvalidOption
    from daedalus.terminal import arguments, reports
    from daedalus.terminal import features as observations

    trust_record(record, allow_code, game)
    shown = arguments.seen_by(view, game, options, position, seed, record, ply)
    if features:
        if svg is not None or moves:
            raise InvalidOption("--features shows numbers instead of the picture: it goes with neither --svg nor --moves")
        observations.features(screen_here(), shown, as_json)
        return
    reports.show(screen_here(), shown, svg, moves, as_json)


@app.command(epilog="Example: daedalus play blackhole --seats human,perfect --limit seconds=1")
def play(
    game: AnyGame = None,
    options: Options = None,
    position: PositionText = None,
    seed: Seed = None,
    record: RecordFile = None,
    ply: Ply = None,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="SPECS",
            help="Who plays, in order of the seats: human,club or mcts,random; else novice.",
            autocompletion=completion.seats,
        ),
    ] = None,
    limit: LimitText = None,
    clock: Annotated[
        str | None,
        typer.Option(metavar="MINUTES+SECONDS", help="Clocks: 5+3 gives each seat five minutes, and three seconds a move."),
    ] = None,
    delay: Annotated[float, typer.Option(metavar="SECONDS", min=0, help="A pause after each move of an agent.")] = 0.0,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Add the game to this file of records.")] = None,
    allow_code: AllowCode = False,
) -> None:
    """Play a game: you against an agent, you against each other, agents among themselves. Without a game a menu asks."""
    from daedalus.core.clocks import Clocks, read_clock
    from daedalus.core.registry import find
    from daedalus.core.seeds import secret_for
    from daedalus.terminal import arguments, levels, menu, savefiles
    from daedalus.terminal.input import best_entry
    from daedalus.terminal.session import Session

    times = None if clock is None else read_clock(clock)
    trust_record(record, allow_code, game)
    screen, ask = screen_here(), best_entry()
    given: list[str] | None = None
    if game is None and record is None:
        try:
            game, given = menu.choose(screen, ask)
        except EOFError:
            return
    seed = seed_of(seed)
    played = None if record is None else savefiles.named(str(record))
    find(played.tags["Game"] if played else str(game)).by_hand = True  # the first board need not wait for a compiler
    begun = arguments.to_play(game, options, position, seed, played, ply)
    if played is not None and seats is None:
        given = arguments.seats_in(played, begun.game)
    elif given is None or seats is not None:
        given = arguments.seats_of(seats, begun.game)
    session = Session(
        begun,
        given,
        screen,
        ask,
        make=levels.make,
        limit=limit_of(limit),
        secret=secret_for(begun.game, seed),
        delay=delay,
        clocks=times and Clocks(begun.game.SEATS, *times),
        deal=arguments.another,
    )
    session.run(save)


@app.command(epilog="Example: daedalus replay games.txt --list")
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of records.")],
    number: Annotated[int | None, typer.Option("--game", metavar="N", help="The N-th game of the file; else the last.")] = None,
    ply: Ply = None,
    delay: Annotated[float | None, typer.Option(metavar="SECONDS", min=0, help="Step on by itself.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the games of the file.")] = False,
    view: View = None,
    allow_code: AllowCode = False,
    as_json: Json = False,
) -> None:
    """Step through a recorded game: Enter next, b back, q quit."""
    from daedalus.terminal import hidden, savefiles
    from daedalus.terminal import replay as replaying
    from daedalus.terminal.input import at_terminal, best_entry

    screen = screen_here()
    if listing:
        replaying.listing(screen, savefiles.records_in(file), as_json)
        return
    record = savefiles.pick(file, number)
    trust(record.tags["Game"], allow_code)
    seat = hidden.onlooker(record, view)
    if as_json:
        screen.data(replaying.data(record, ply, seat))
        return
    shown = replaying.Replay(record, screen, ply or 0, seat)
    if delay is None and at_terminal():
        shown.walk(best_entry())
    elif ply is not None and delay is None:
        shown.draw()
    else:
        shown.run_through(delay or 0.0)


@app.command(epilog="Example: daedalus analyse blackhole --position 'R...R/.R.R./..*../.B.B./B...B R' -n 5")
def analyse(
    game: AnyGame = None,
    options: Options = None,
    position: PositionText = None,
    seed: Seed = None,
    record: RecordFile = None,
    ply: Ply = None,
    agent: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Who analyses; else the game's strongest.", autocompletion=completion.specs),
    ] = None,
    limit: LimitText = None,
    best: Annotated[int, typer.Option("-n", metavar="N", min=1, help="Show so many moves.")] = 10,
    view: View = None,
    allow_code: AllowCode = False,
    as_json: Json = False,
) -> None:
    """The best moves of a position, as an agent sees them."""
    from daedalus.terminal import arguments, hidden, reports

    trust_record(record, allow_code, game)
    shown = hidden.for_analysis(arguments.seen_by(view, game, options, position, seed, record, ply))
    reports.analyse(screen_here(), shown, agent, limit_of(limit), seed or 0, best, as_json)


@app.command(epilog="Example: daedalus perft blackhole --depth 6 --divide")
def perft(
    game: Game,
    depth: Annotated[int, typer.Option(metavar="N", min=0, max=100, help="Count sequences of so many moves.")],
    divide: Annotated[bool, typer.Option("--divide", help="Count for each first move.")] = False,
    options: Options = None,
    position: PositionText = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Count the move sequences of a length, the usual test of rules."""
    from daedalus.terminal import arguments, reports

    reports.perft(screen_here(), arguments.position_of(game, options, position, seed), depth, divide, as_json)


@app.command(
    epilog="Examples: daedalus check examples/connect_four.py:ConnectFour; daedalus check --agent mine.py:Mine quoridor"
)
def check(
    game: AnyGame = None,
    options: Options = None,
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Check an agent instead, in this game or in all that it plays.",
            autocompletion=completion.specs,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check that a game keeps the contract, or an agent its promises; exit code 1 if not."""
    from daedalus.agents.check_agent import games_for
    from daedalus.terminal import arguments, reports

    if agent is not None:
        games = games_for(agent) if game is None else [arguments.game_of(game, options)]
        held = reports.check_agent(screen_here(), agent, games, as_json)
    elif game is None:
        raise typer.BadParameter("name a game, or an agent with --agent SPEC")
    else:
        held = reports.check(screen_here(), arguments.game_of(game, options), as_json)
    if not held:
        raise typer.Exit(1)


@app.command(epilog="Example: daedalus bench quoridor --against openspiel")
def bench(
    game: AnyGame = None,
    against: Annotated[
        str | None, typer.Option(metavar="PROGRAM", help="Measure another program that plays the game, too: openspiel.")
    ] = None,
    as_json: Json = False,
) -> None:
    """How fast playouts and searches run, a CPU-second on one core."""
    from daedalus.terminal import reports

    reports.bench(screen_here(), game, against, as_json)


@app.command(epilog="Example: daedalus warm quoridor -o width=5 -o height=5")
def warm(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="The games to prepare; else all.", autocompletion=completion.games),
    ] = None,
    options: Options = None,
    variants: Annotated[
        bool, typer.Option("--all", help="Also the sizes and variants that `bench` measures, not only the usual game.")
    ] = False,
) -> None:
    """Compile the games ahead of time for all their agents, so that no first move has to wait."""
    from daedalus.terminal import arguments, reports

    reports.warm(screen_here(), arguments.games_to_warm(games or (), options, variants))


@app.command(epilog="Example: daedalus solve blackhole -o hole=pass")
def solve(game: Game, options: Options = None, as_json: Json = False) -> None:
    """Solve a game exactly, where it is small enough."""
    from daedalus.terminal import arguments, reports

    reports.solve(screen_here(), arguments.game_of(game, options), as_json)

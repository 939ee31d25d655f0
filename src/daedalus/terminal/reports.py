"""What the commands about one position or one game print: show, analyse, perft, check, bench, warm, solve."""

import dataclasses
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from daedalus.core import DaedalusError, Game, Limit, Move, Position, Thought
from daedalus.core.files import replacing
from daedalus.core.registry import find, game_names, registration_of

from . import format
from .screen import Screen
from .thinking import Thinking

if TYPE_CHECKING:
    from daedalus.agents import Report


def show(screen: Screen, position: Position, svg: Path | None, moves: bool, as_json: bool) -> None:
    """Picture, summary, text, side to move."""
    if svg is not None:
        with replacing(svg) as path:
            path.write_text(position.svg(), encoding="utf-8")
    if as_json:
        screen.data(format.facts(position))
        return
    screen.board(position)
    screen.say(position.text)
    screen.say(format.standing(position), "bold")
    if moves:
        screen.write(screen.columns(map(str, position.legal_moves)))
    if svg is not None:
        screen.say(f"picture written to {svg}")


def analyse(
    screen: Screen, position: Position, spec: str | None, limit: Limit | None, seed: int, best: int, as_json: bool
) -> None:
    """The best moves as an agent sees them."""
    import daedalus
    from daedalus.agents import default_analyst

    outcome = position.outcome()
    if outcome is not None:
        raise DaedalusError(f"there is nothing to analyse: {format.result(position.game, outcome)}")
    spec = spec or default_analyst(position)
    agent = daedalus.agent(spec, position.game, seed)
    try:
        with Thinking(screen, spec) as wait:
            thought = agent.choose(position.view(), limit, wait.watch)
    finally:
        agent.close()
    if as_json:
        screen.data({"agent": spec} | format.facts(position) | _thought(thought, best))
        return
    screen.board(position)
    screen.say(f"{format.standing(position)}, {spec} says:")
    rows = [[str(c.move), format.value(c.value), c.visits or "", c.note] for c in _candidates(thought)[:best]]
    screen.table(["move", "value", "visits", "note"], rows)
    if thought.line:
        screen.say("line   " + " ".join(thought.line))
    screen.say("total  " + format.effort(thought))


def _candidates(thought: Thought) -> Sequence[Any]:
    from daedalus.core import Candidate

    return thought.candidates or (Candidate(thought.move, thought.value, note=thought.note),)


def _thought(thought: Thought, best: int) -> dict[str, Any]:
    told: dict[str, Any] = plain(thought)
    return told | {"candidates": plain(_candidates(thought)[:best])}


def perft(screen: Screen, position: Position, depth: int, each: bool, as_json: bool) -> None:
    """How many move sequences there are, and how fast they were counted."""
    from daedalus import search

    search.perft(position, 1)  # compiled before the clock starts
    begun = time.perf_counter()
    counts = search.divide(position, depth) if each else {}
    nodes = sum(counts.values()) if each else search.perft(position, depth)
    seconds = time.perf_counter() - begun
    rate = nodes / seconds if seconds else 0.0
    if as_json:
        told = {
            "game": position.name,
            "position": position.text,
            "depth": depth,
            "nodes": nodes,
            "seconds": seconds,
            "rate": rate,
        }
        screen.data(told | ({"moves": counts} if each else {}))
        return
    if each:
        screen.table(["move", "sequences"], list(counts.items()))
    screen.say(f"perft {depth}: {nodes:,} in {seconds:.3f} s ({rate:,.0f} a second)")


def check(screen: Screen, game: Game, as_json: bool) -> bool:
    """Whether the game keeps the contract."""
    from daedalus.agents import check_game as examine

    with _bar(screen, as_json) as progress:
        report = examine(game, progress=progress)
    return _told(screen, report, {"game": format.title(game)}, "the contract", as_json)


def check_agent(screen: Screen, spec: str, games: Sequence[Game], as_json: bool) -> bool:
    """Whether the agent keeps its promises in each of the games."""
    from daedalus.agents import check_agent as examine

    held = True
    for game in games:
        with _bar(screen, as_json) as progress:
            report = examine(spec, game, progress=progress)
        held &= _told(screen, report, {"agent": spec, "game": format.title(game)}, "its promises", as_json)
    return held


def _told(screen: Screen, report: "Report", about: dict[str, str], what: str, as_json: bool) -> bool:
    """Tells what a check found; whether all held."""
    if as_json:
        screen.data({**about, "ok": report.ok, "lines": [list(line) for line in report.lines]})
        return report.ok
    for name, held, detail in report.lines:
        screen.say(f"{'ok  ' if held else 'FAIL'}  {name}: {detail}", "" if held else "bold red")
    screen.say(f"{' in '.join(about.values())} {'keeps' if report.ok else 'breaks'} {what}", "bold")
    return report.ok


def bench(screen: Screen, game: str | None, against: str | None, as_json: bool) -> None:
    """Each measurement as soon as it is there."""
    from daedalus.bench import run

    for measure in run(game, against):
        if as_json:
            screen.data({"name": measure.name, "value": measure.value, "unit": measure.unit})
        else:
            figure = f"{measure.value:,.0f}" if measure.value >= 100 else f"{measure.value:.3g}"
            screen.say(f"{measure.name:<36} {figure:>16} {measure.unit}")


def warm(screen: Screen, games: Sequence[Game]) -> None:
    """Compiles ahead of time what playing the games needs."""
    from daedalus import agents

    total = sum(len(agents.warm_steps(game)) for game in games)
    begun, done = time.perf_counter(), 0
    with _bar(screen) as progress:
        for game in games:
            for step in agents.warm(game):
                progress(done / total, f"{format.title(game)}: {step}")
                done += 1
        progress(1.0, "done")
    ready = ", ".join(map(format.title, games))
    screen.say(f"{ready} ready: {total} steps in {time.perf_counter() - begun:.1f} s")


def solve(screen: Screen, game: Game, as_json: bool) -> None:
    """The solution of a game that offers one."""
    solver = registration_of(game).solve
    if solver is None:
        able = [name for name in game_names() if find(name).solve is not None]
        raise DaedalusError(f"{registration_of(game).name} has no solver; games that have one: {', '.join(able) or 'none'}")
    with _bar(screen, as_json) as progress:
        solution = solver(game, progress=progress)
    facts = {"game": format.title(game)} | plain(solution)
    if as_json:
        screen.data(facts)
        return
    screen.say(getattr(solution, "headline", format.title(game)), "bold")
    for name, thing in facts.items():
        if isinstance(thing, list) and thing and isinstance(thing[0], dict):
            screen.table([key.replace("_", " ") for key in thing[0]], [list(row.values()) for row in thing])
        elif name != "game":
            screen.say(f"{name}  {thing}")


def plain(thing: Any) -> Any:
    """Dataclasses, named tuples, moves and paths as JSON takes them."""
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        return {field.name: plain(getattr(thing, field.name)) for field in dataclasses.fields(thing)}
    if isinstance(thing, tuple) and hasattr(thing, "_asdict"):
        return {name: plain(value) for name, value in thing._asdict().items()}
    if isinstance(thing, (list, tuple)):
        return [plain(item) for item in thing]
    return str(thing) if isinstance(thing, (Path, Move)) else thing


@contextmanager
def _bar(screen: Screen, quiet: bool = False) -> Iterator[Any]:
    """A progress bar as `progress(share, text)`; silent where nobody looks."""
    if quiet or not screen.live:
        yield lambda share, text: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=screen.console, transient=True) as bars:
        task = bars.add_task("", total=1.0)
        yield lambda share, text: bars.update(task, completed=share, description=text)

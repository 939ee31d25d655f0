"""Does a game keep the contract? One check for every game, ours and users': `check_game(game)` returns a report.

It plays random games and tree-search games and looks at each decision from all sides: moves, texts, records, touches,
pictures, views, and whether compiled and interpreted rules agree, also in a second process that loads the cache.
"""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from daedalus.core import Game, Position, Record, options, scramble
from daedalus.core.contract import offers
from daedalus.core.features import total
from daedalus.core.kernels import transitions
from daedalus.core.memory import copies, frozen, states, workspaces
from daedalus.core.registry import registration_of
from daedalus.core.smoke import blame, smoke

from .conformance import Broken, Progress, Report, demand, examine
from .spec import make_agent

_KEYS = 1000  # about so many positions are compared by key


def check_game(game: Game, games: int = 10, seed: int = 1, progress: Progress | None = None) -> Report:
    """Checks a game with its options; `games` random games are looked at decision by decision.

    Nothing compiled runs before an interpreted game has gone well.
    """
    parts = {part.__name__: partial(part, game, games, seed) for part in _PARTS}
    with np.errstate(over="ignore"):  # interpreted rules let 64-bit numbers wrap, as kernels do
        # compiled, a wrong index is no error but the end of the process
        return examine(registration_of(game).name, parts, partial(blame, type(game)), progress, vital=_smoke_game.__name__)


def _walk(game: Game, games: int, seed: int, plies: int = 300) -> Iterator[Position]:
    """The positions of some random games, before and after each move."""
    for number in range(games):
        position = Position(game, scramble(seed, number) >> 16)
        yield position
        for ply in range(plies):
            if position.outcome() is not None:
                break
            codes = position.legal_moves.codes
            position.push(codes[scramble(seed, number, ply) % len(codes)])
            yield position


def _sample(game: Game, games: int, seed: int, every: int) -> Iterator[Position]:
    """Every so many of those positions; copies, so that they can be kept."""
    for place, position in enumerate(_walk(game, games, seed)):
        if place % every == 0 or position.outcome() is not None:
            yield position.copy()


def _smoke_game(game: Game, games: int, seed: int) -> str:
    smoke(game)
    return "an interpreted game runs"


def _moves_and_results(game: Game, games: int, seed: int) -> str:
    seen = ended = 0
    for position in _walk(game, games, seed):
        seen += 1
        codes = position.legal_moves.codes
        outcome = position.outcome()
        demand(0 <= position.turn < game.SEATS, "seat {} to move in {}", position.turn, position)
        if outcome is not None:
            ended += 1
            demand(not codes, "an ended game has moves: {}", position)
            demand(all(-1 <= p <= 1 for p in outcome.payoffs), "payoffs {} outside [-1, 1]", outcome.payoffs)
            demand(bool(outcome.reason), "no reason given for the end of {}", position)
            continue
        demand(1 <= len(codes) <= game.MAX_MOVES, "{} moves in {}; MAX_MOVES is {}", len(codes), position, game.MAX_MOVES)
        demand(len(set(codes)) == len(codes), "a move is listed twice in {}", position)
        demand(all(code >= 0 for code in codes), "a move has a negative number in {}", position)
    return f"{seen} positions of {games} random games, {ended} of them ended"


def _copies_stay_apart(game: Game, games: int, seed: int) -> str:
    tried = 0
    for position in _sample(game, games, seed, every=7):
        before = position.bits
        for move in position.legal_moves:
            twin = position.copy()
            twin.push(move)
            tried += 1
            demand(position.bits == before, "playing {} on a copy changed {}", move, position)
            twin.pop()
            demand(twin.bits == before, "taking {} back did not restore {}", move, position)
    return f"{tried} moves played on copies and taken back"


def _texts_of_moves(game: Game, games: int, seed: int) -> str:
    count = 0
    for position in _sample(game, games, seed, every=5):
        texts = [str(move) for move in position.legal_moves]
        demand(len(set(texts)) == len(texts), "two moves have the same text in {}", position)
        for move in position.legal_moves:
            demand(position.parse(str(move)) == move, "'{}' reads back as another move in {}", move, position)
            count += 1
    return f"{count} move texts read back"


def _texts_of_positions(game: Game, games: int, seed: int) -> str:
    count = 0
    for position in _sample(game, games, seed, every=5):
        again = Position.from_text(game, position.text)
        demand(again.text == position.text, "{} reads back as {}", position, again)
        same = again.legal_moves.codes == position.legal_moves.codes or position.outcome() is not None
        demand(same, "{} read back has other legal moves", position)
        count += 1
    return f"{count} position texts read back"


def _records_replay(game: Game, games: int, seed: int) -> str:
    for number in range(games):
        *_, last = _walk(game, 1, scramble(seed, number))
        record = Record.parse(Record.from_position(last).text)
        demand(record.replay().bits == last.bits, "a record of {} moves replays to another state", len(last.history))
    return f"{games} games replayed bit for bit"


def _touches_and_pictures(game: Game, games: int, seed: int) -> str:
    count = 0
    for position in _sample(game, max(1, games // 2), seed, every=9):
        sequences = {position.touches(code): code for code in position.legal_moves.codes}
        demand(len(sequences) == len(position.legal_moves), "two moves have the same touches in {}", position)
        for sequence in sequences:
            shorter = any(sequence[:n] in sequences for n in range(1, len(sequence)))
            demand(bool(sequence) and not shorter, "touches {} go on after a whole move in {}", sequence, position)
        _look_at(position)
        count += 1
    return f"{count} positions drawn, every move has touches of its own"


def _look_at(position: Position) -> None:
    """Pictures of a position, of a move under way from both sides, and its words."""
    begun: tuple[str, ...] = ()
    while True:
        following = position.next_touches(begun)
        for flip in (False, True):
            picture = position.parts(begun, flip)
            offered = {
                touch for svg in (picture.board, *(part.svg for part in picture.beside)) for touch in _live(svg, position)
            }
            demand(set(following) <= offered, "touches {} of {} are in no picture", set(following) - offered, position)
        if not following:
            break
        begun += (list(following)[len(position.history) % len(following)],)
        demand(bool(position.touch_name(begun[-1]).strip()), "touch {} has no name", begun[-1])
    _live(position.svg(), position)
    demand(bool(str(position).strip()), "the terminal picture is empty")
    demand(bool(position.spoken.strip()), "nothing is said of {}", position)


def _live(svg: str, position: Position) -> list[str]:
    """The touches that a picture offers."""
    try:
        elements = ElementTree.fromstring(svg).iter()
    except ElementTree.ParseError as error:
        raise Broken(f"the SVG of {position.text} is not well formed: {error}") from None
    return [touch for element in elements if (touch := element.get("data-touch"))]


def _told(view: Position) -> tuple[Any, ...]:
    """All that a view shows and says, but for its text."""
    return view.parts(), view.svg(), str(view), view.summary, view.spoken


def _values_and_keys(game: Game, games: int, seed: int) -> str:
    W = workspaces(game, 1, seed)
    keys: dict[int, str] = {}
    hidden = offers(type(game), "redeal")
    demand(not hidden or game.LABELS > 0, "a game with redeal needs the constant LABELS")
    for position in _sample(game, games, seed, every=3):
        S = copies(game, [position.state], 1)
        if position.outcome() is None:
            for seat in range(game.SEATS):
                value = float(game.evaluate(S[0], seat, W[0]))
                demand(-1 < value < 1, "evaluate gives {} for seat {} in {}", value, seat, position)
            code = int(game.random_move(S[0], W[0]))
            demand(code in position.legal_moves.codes, "random_move gives illegal {} in {}", code, position)
            labels = [int(game.label(S[0], code)) for code in position.legal_moves.codes] if hidden else []
            named = all(0 <= label < game.LABELS for label in labels)
            demand(named, "a label outside 0..{} in {}", game.LABELS - 1, position)
        demand(frozen(S) == position.bits, "evaluate, random_move or label changed {}", position)
        if offers(type(game), "key") and not hidden and len(keys) < _KEYS:
            for key, text in _keys_around(position):
                other = keys.setdefault(key, text)
                demand(not key or other == text, "two positions have the same key: {} and {}", other, text)
    return f"evaluations in (-1, 1), rollout moves legal, keys of {len(keys)} positions distinct"


def _keys_around(position: Position) -> Iterator[tuple[int, str]]:
    """(key, text) of a position and of all that follow it by one move: a weak key is weak between neighbours."""
    game, W, payoffs = position.game, workspaces(position.game, 1, 0), np.zeros(position.game.SEATS)
    kernels = registration_of(game).kernels.load("daedalus.core.kernels.transitions")
    yield position.keys[-1], position.text
    for code in position.legal_moves.codes:
        S = copies(game, [position.state], 1)
        kernels.play(game, S, code)
        yield int(kernels.survey(game, S, W, payoffs)[3]), game.position_text(S[0], None)


def _features_and_actions(game: Game, games: int, seed: int) -> str:
    if not (game.FEATURES or game.ACTIONS):
        return "none offered"
    demand(total(game) == game.FEATURES, "feature_names add up to {}, FEATURES is {}", total(game), game.FEATURES)
    compiled = registration_of(game).kernels.load("daedalus.core.kernels.transitions")
    seen = 0
    for position in _sample(game, games, seed, every=5):
        S = copies(game, [position.state], 1)
        for seat in range(game.SEATS):
            numbers = _observed(game, transitions, S, seat)
            demand(
                bool(np.isfinite(numbers).all()),
                "features leaves some unwritten or not finite for seat {} in {}",
                seat,
                position,
            )
            same = np.array_equal(numbers, _observed(game, compiled, S, seat))
            demand(same, "features compiled and interpreted differ for seat {} in {}", seat, position)
            for other in range(3):
                view = copies(game, [position.view(seat, seed=other).state], 1)
                same = np.array_equal(numbers, _observed(game, transitions, view, seat))
                demand(same, "features of seat {} tell hidden cards: {}", seat, position)
        demand(frozen(S) == position.bits, "features changed {}", position)
        if game.ACTIONS and position.outcome() is None:
            _look_at_actions(game, position, compiled)
        seen += 1
    return f"{game.FEATURES} features, {game.ACTIONS} actions in {seen} positions"


def _observed(game: Game, kernels: Any, S: Any, seat: int) -> Any:
    """What a network sees; what is not written stays no number."""
    out = np.full(game.FEATURES, np.nan)
    kernels.features(game, S, seat, out)
    return out


def _look_at_actions(game: Game, position: Position, compiled: Any) -> None:
    """Numbers of moves are in bounds, and different for moves that an onlooker can tell apart."""
    codes = np.array(position.legal_moves.codes)
    out = np.zeros(codes.size, np.int64)
    compiled.actions(game, copies(game, [position.state], 1), codes, out)
    inside = bool(((out >= 0) & (out < game.ACTIONS)).all())
    demand(inside, "an action outside 0..{} in {}", game.ACTIONS - 1, position)
    labels: dict[int, int] = {}
    for code, action in zip(codes.tolist(), out.tolist(), strict=True):
        demand(int(game.action(position.state, code)) == action, "action compiled and interpreted differ in {}", position)
        label = int(game.label(position.state, code))
        demand(labels.setdefault(action, label) == label, "two moves have the same action {} in {}", action, position)


def _views_hide(game: Game, games: int, seed: int) -> str:
    if not offers(type(game), "redeal"):
        return "nothing is hidden"
    count = changed = secrets = 0
    # a start that redeal had no part in, too: what it leaves where it is would not be found where it has left it already
    starts = (Position(game, scramble(seed, number, 1) >> 16, dealing=1) for number in range(8))
    for position in chain(_sample(game, games, seed, every=5), starts):
        for seat in range(game.SEATS):
            view = position.view(seat)
            changed += view.bits != position.bits
            secrets += view.text != position.text  # options may leave nothing to hide
            others = [view.view(seat, seed=99 + k) for k in range(8)]  # differ from the truth in hidden cards only
            same = all(other.view(seat).bits == view.bits for other in others)
            demand(same, "a view of seat {} depends on hidden cards: {}", seat, position)
            other = others[0]
            demand(view.text == other.text, "the view text of seat {} tells hidden cards: {}", seat, position)
            demand(_told(view) == _told(other), "a picture or the words of a view tell hidden cards")
            if seat == position.turn:
                same = view.legal_moves.codes == position.legal_moves.codes
                demand(same, "the seat to move sees other moves than it has: {}", position)
            count += 1
    demand(changed > 0 or secrets == 0, "redeal never changes anything: views would hold the truth")
    return f"{count} views depend only on what the seat knows"


def _trace(game: Game, kernels: Any, seed: int) -> Any:
    """The last state of one rollout with the given steps (compiled or not)."""
    S, W = states(game, 1), workspaces(game, 1, seed)
    kernels.opening(game, S, W)
    payoffs = np.zeros(game.SEATS)
    for ply in range(200):
        _, over, n, _ = kernels.survey(game, S, W, payoffs)
        if over:
            break
        kernels.play(game, S, int(W["buf"][0, scramble(seed, ply) % int(n)]))
        kernels.redeal(game, S, 0, W)
    return frozen(S), W["rng"].tolist()


def _compiled_as_interpreted(game: Game, games: int, seed: int) -> str:
    loader = registration_of(game).kernels
    if not loader.compiled:
        return "runs interpreted only"
    compiled = loader.load("daedalus.core.kernels.transitions")
    for number in range(games):
        one, two = _trace(game, compiled, seed + number), _trace(game, transitions, seed + number)
        demand(one == two, "compiled and interpreted rules differ in the random game of seed {}", seed + number)
    return f"{games} random games end in the same bits"


def _search_moves(game: Game, seed: int, plies: int) -> list[str]:
    """The moves of a tree-search game against alpha-beta: searches find corners that random play does not."""
    players = [make_agent("mcts:simulations=60,cutoff=40", game, seed), make_agent("alphabeta:depth=2", game, seed)]
    position = Position(game, seed)
    while position.outcome() is None and len(position.history) < plies:
        thought = players[position.turn % 2].choose(position.view())
        position.push(thought.move)
    return [str(move) for move in position.history]


def _search_games(game: Game, games: int, seed: int) -> str:
    plies = 60 if registration_of(game).kernels.compiled else 8
    moves = _search_moves(game, seed, plies)
    demand(moves == _search_moves(game, seed, plies), "the same seed and simulations gave other moves")
    return f"a game of {len(moves)} plies between searches, twice the same"


def _second_process(game: Game, games: int, seed: int) -> str:
    kind = registration_of(game)
    if not kind.kernels.compiled:
        return "runs interpreted only"
    module = kind.name.rpartition(":")[0]
    if module and not module.endswith(".py"):
        return "defined in a running program, not in a file another process could load"
    script = (
        "import daedalus; from daedalus.core import options; from daedalus.agents.check_game import _search_moves;"
        f"print(*_search_moves(daedalus.game({kind.name!r}, **options.parsed({options.written(game)!r})), {seed}, 30))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    demand(run.returncode == 0, "a second process failed: {}", (run.stderr.strip().splitlines() or ["no message"])[-1])
    demand(
        run.stdout.split() == " ".join(_search_moves(game, seed, 30)).split(),
        "a second process, from the cache, played other moves",
    )
    return "kernels from the disk cache play the same game"


_PARTS: list[Callable[[Game, int, int], str]] = [
    _smoke_game,
    _moves_and_results,
    _copies_stay_apart,
    _texts_of_moves,
    _texts_of_positions,
    _records_replay,
    _touches_and_pictures,
    _values_and_keys,
    _features_and_actions,
    _views_hide,
    _compiled_as_interpreted,
    _search_games,
    _second_process,
]

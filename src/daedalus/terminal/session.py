"""A game at a terminal: lines in, pictures out. Knows no game, and no terminal either, so a script can play it.

`Session.run` asks humans and agents in turn until the game is over or the player leaves; what a human types is a move
or one of COMMANDS. Whatever goes wrong is one line, and the game goes on.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from daedalus.core import Agent, DaedalusError, Game, IllegalMove, InvalidSpec, Limit, Outcome, Position, Thought
from daedalus.core.record import Record
from daedalus.core.seeds import derive

from . import format, savefiles
from .commands import COMMANDS, Leave
from .display import Display
from .hidden import HUMAN, hides
from .input import Ask, Question
from .screen import Screen

_WITH_FILE = frozenset(name for name, command in COMMANDS.items() if command.takes_file)
Maker = Callable[[str, Game, int], Agent]


@dataclass
class Player:
    """Who sits in a seat: a human, or an agent by its spec; an agent has made so many moves in this sitting."""

    spec: str
    agent: Agent | None = None
    moves: int = 0


class Session:
    """One sitting: a position, its players, and the talk between them."""

    def __init__(
        self,
        position: Position,
        seats: Sequence[str],
        screen: Screen,
        ask: Ask,
        *,
        make: Maker,
        limit: Limit | None = None,
        secret: bytes = b"",
        delay: float = 0.0,
    ) -> None:
        self.position = position
        self.screen = screen
        self.limit = limit
        self.thoughts: dict[int, Thought] = {}  # by the ply at which they were had
        self.ask = ask
        self._make, self._secret, self._delay = make, secret, delay
        self.given_up: Outcome | None = None
        self.saved: tuple[int, ...] | None = None  # the moves when the game was last written to a file
        self._advisers: dict[tuple[str, int], Agent] = {}
        self.display = Display(self)
        self.players = self._seated(position.game, list(seats))

    def _seated(self, game: Game, specs: list[str]) -> list[Player]:
        if len(specs) != game.SEATS:
            raise InvalidSpec(f"{format.title(game)} has {game.SEATS} seats, not {len(specs)}: {' | '.join(specs)}")
        return [
            Player(spec) if spec == HUMAN else Player(spec, self._make(spec, game, derive(self._secret, "agent", seat)))
            for seat, spec in enumerate(specs)
        ]

    # --- the course of a game ---------------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the rules or because somebody gave up."""
        return self.given_up or self.position.outcome()

    @property
    def humans(self) -> list[int]:
        return [seat for seat, player in enumerate(self.players) if player.agent is None]

    @property
    def hidden(self) -> bool:
        """Does a seat not know everything?"""
        return hides(self.position.game)

    @property
    def secretive(self) -> bool:
        """Are there cards that the people at the screen may not know?"""
        return self.hidden and bool(self.humans) and self.outcome is None

    def record(self) -> Record:
        """The game as it stands."""
        specs = [player.spec for player in self.players]
        return savefiles.record_of(self.position, specs, self.limit, self.thoughts, self.outcome)

    def run(self, save: Path | None = None) -> Outcome | None:
        """Plays until the game is over or the player leaves; then the game is written to `save`, or kept if it runs."""
        try:
            self.draw()
            while self.outcome is None or self._linger():
                if self.outcome is None:
                    self._turn()
        except (Leave, EOFError):
            self.screen.say()
        finally:
            self.display.leave()
            self._close()
            self._keep(save)
        return self.outcome

    def _turn(self) -> None:
        player = self.players[self.position.turn]
        if player.agent is None:
            self._listen(self._question())
        else:
            self._think(player, player.agent)

    def _listen(self, question: Question) -> bool:
        """One line of a human, obeyed or refused with the reason; False if it was empty."""
        line = self.ask(question).strip()
        try:
            if line:
                self._obey(line)
        except Leave:
            raise
        except Exception as error:  # of a game or an adviser we do not know; the sitting goes on
            self.screen.wrong(format.one_line(error))
        return bool(line)

    def _obey(self, line: str) -> None:
        """A legal move comes first, should one be spelt like a command."""
        command, _, argument = line.partition(" ")
        command = command.lower()
        if command in COMMANDS and line not in self.choices():
            COMMANDS[command].run(self, argument.strip())
            return
        if self.outcome is not None:
            raise IllegalMove(f"'{line}': the game is over" + ("" if self.hidden else "; undo takes a turn back"))
        seat = self.position.turn
        try:
            move = self.position.push(self.position.view().parse(line))  # a refusal, too, tells only what the seat knows
        except DaedalusError as error:
            near = get_close_matches(command, COMMANDS, n=1, cutoff=0.7)
            raise IllegalMove(format.one_line(error) + (f"; or the command '{near[0]}'?" if near else "")) from None
        self.draw(moved=f"{self.name(seat)} {move}")

    def _think(self, player: Player, agent: Agent) -> None:
        seat = self.position.turn
        label = f"{self.name(seat)} ({player.spec})"
        try:
            with self.screen.waiting(f"{label} thinks"):
                thought = agent.choose(self.position.view(), self.limit and self.limit.at(player.moves))
            said = format.judgement(thought)
            move = self.position.push(thought.move)
        except (Exception, SystemExit) as error:  # anything may go wrong in code we do not know, and must not end the game
            self._failed(seat, label, error)
            return
        player.moves += 1
        self.thoughts[len(self.position.history) - 1] = thought
        self.draw(moved=f"{label} {move}" if self.secretive else f"{label} {move}   {said}")
        if self._delay:
            time.sleep(self._delay)

    def _failed(self, seat: int, label: str, error: BaseException) -> None:
        report = f"{label} failed: {format.one_line(error)}"
        if self.secretive:  # an agent that fails may name the cards it holds
            self.display.untold.append(report)
            report = f"{label} failed: {type(error).__name__}"
        self.screen.wrong(report)
        answer = self._way_out()
        if answer == "take":
            self.players[seat] = Player(HUMAN)
            self.draw(f"{self.name(seat)} is yours")
        elif answer == "resign":
            self.give_up(seat, report)
            if self.hidden:
                self.draw()

    def _way_out(self) -> str:
        """What to do about an agent that failed; who has watched hidden cards cannot take them up."""
        ways = {"retry": "ask it again", "take": "play its seat yourself", "resign": "let it give the game up"}
        if self.hidden and not self.humans:
            del ways["take"]
        named = " or ".join(", ".join(ways).rsplit(", ", 1))
        while True:
            try:
                answer = self.ask(Question(f"{named}? ", ways)).strip().lower()
            except EOFError:
                if self.humans:
                    raise  # the player leaves, and the game is kept as it stands
                return "resign"
            if answer in ways:
                return answer
            self.screen.wrong(f"'{answer}': answer {named}")

    def _linger(self) -> bool:
        """After the end: may undo, load, save; False when there is nobody to ask or nothing more to do."""
        assert self.outcome is not None
        self.display.tell()
        self.screen.say(format.result(self.position.game, self.outcome), "bold")
        if not self.humans:
            return False
        ways = "save FILE, load FILE, or Enter to leave"
        question = Question("over> ", self._offered(), _WITH_FILE, ways if self.hidden else f"undo, {ways}")
        while self.outcome is not None:
            if not self._listen(question):
                return False
        return True

    # --- what commands do to it -------------------------------------------------------------------------------------

    def give_up(self, seat: int, reason: str) -> None:
        """Ends the game against a seat."""
        others = [other for other in range(self.position.game.SEATS) if other != seat]
        payoffs = tuple(-1.0 if other == seat else 1.0 for other in range(self.position.game.SEATS))
        self.given_up = Outcome(others[0] if len(others) == 1 else None, reason, payoffs)

    def change(self, position: Position) -> None:
        """Goes on with another game, the same players in the same seats; refuses before anything has changed."""
        players = self._seated(position.game, [player.spec for player in self.players])
        self._close()
        self.position, self.players = position, players
        self.thoughts, self.given_up, self.saved = {}, None, tuple(position.history)
        self.display = Display(self)

    def adviser(self, spec: str) -> Agent:
        """An agent that gives hints to the seat to move, kept for its next one."""
        seat = self.position.turn
        if (spec, seat) not in self._advisers:
            self._advisers[spec, seat] = self._make(spec, self.position.game, derive(self._secret, "adviser", seat))
        return self._advisers[spec, seat]

    # --- what is seen -----------------------------------------------------------------------------------------------

    def name(self, seat: int) -> str:
        return format.seat_name(self.position.game, seat)

    def choices(self) -> list[str]:
        """The moves that the human at the screen can make now."""
        if self.outcome is not None or self.position.turn not in self.humans:
            return []
        return list(map(str, self.position.legal_moves))

    def _offered(self) -> dict[str, str]:
        return dict.fromkeys(self.choices(), "") | {name: command.meaning for name, command in COMMANDS.items()}

    def _question(self) -> Question:
        mover = self.name(self.position.turn)
        count = len(self.position.legal_moves)
        hint = f"{count} legal moves · Tab offers them · help · undo · hint · quit"
        return Question(f"{mover}> ", self._offered(), _WITH_FILE, hint, mover)

    def draw(self, *notes: str, moved: str = "") -> None:
        """The screen anew, with the move just made and notes below the board."""
        self.display.draw(notes, moved)

    # --- leaving ----------------------------------------------------------------------------------------------------

    def _close(self) -> None:
        for agent in [player.agent for player in self.players if player.agent] + list(self._advisers.values()):
            with suppress(Exception):  # an agent that cannot even stop is no concern of the player's
                agent.close()
        self._advisers = {}

    def _keep(self, save: Path | None) -> None:
        """Writes the game where the user asked; a running game that is written nowhere goes to the data folder."""
        if not self.position.history and self.outcome is None:
            return
        if save is not None:
            try:
                savefiles.append(save, self.record())
                self.screen.say(f"Game added to {save}")
                return
            except (DaedalusError, OSError) as error:
                self.screen.wrong(f"not saved: {format.one_line(error)}")
        if tuple(self.position.history) != self.saved and (self.outcome is None or save is not None):
            try:
                path = savefiles.keep(self.record())
            except (DaedalusError, OSError) as error:
                self.screen.wrong(f"not kept: {format.one_line(error)}")
                return
            self.screen.say(f"The game is kept in {path}")
            self.screen.say(f"Go on with: daedalus play --record {path}   (`save FILE` keeps a game where you like)")

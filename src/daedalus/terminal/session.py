"""A game at a terminal: lines in, pictures out. Knows no game, and no terminal either, so a script can play it.

`Session.run` asks humans and agents in turn until the game is over or the player leaves; what a human types is a move
or one of COMMANDS. Whatever goes wrong is one line, and the game goes on.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from daedalus.core import Agent, DaedalusError, Game, IllegalMove, InvalidSpec, Limit, Outcome, Position, Thought
from daedalus.core.clocks import Clocks
from daedalus.core.hidden import hides
from daedalus.core.record import Record
from daedalus.core.seeds import derive

from . import coach, format, savefiles
from .agent_turn import think
from .commands import COMMANDS, Leave
from .display import Display
from .hidden import HUMAN
from .input import Ask, Question, TimeUp
from .screen import Screen

_WITH_FILE = frozenset(name for name, command in COMMANDS.items() if command.takes_file)
_WELCOME = "New here? Type rules, learn (two minutes) or help."
Maker = Callable[[str, Game, int], Agent]
Deal = Callable[[Game], tuple[Position, bytes]]  # another game like this one, with the secret that agents are seeded by


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
        clocks: Clocks | None = None,
        deal: Deal | None = None,
    ) -> None:
        self.position = position
        self.screen = screen
        self.limit = limit
        self.thoughts: dict[int, Thought] = {}  # by the ply at which they were had
        self.ask = ask
        self.clocks = clocks
        self._make, self._secret, self._delay, self._deal = make, secret, delay, deal
        self.flipped = False
        self.helped = False  # by a hint or a move taken back; then the game tells nothing about the player
        self._judged = False  # has the coach heard how this game ended?
        self.given_up: Outcome | None = None
        self.saved: tuple[int, ...] | None = None  # the moves when the game was last written to a file
        self._advisers: dict[tuple[str, int], Agent] = {}
        self.display = Display(self)
        self.players = self._seated(position.game, list(seats))

    def _seated(self, game: Game, specs: list[str]) -> list[Player]:
        if len(specs) != game.SEATS:
            raise InvalidSpec(f"{format.title(game)} has {game.SEATS} seats, not {len(specs)}: {' | '.join(specs)}")
        return [self._player(seat, spec, game) for seat, spec in enumerate(specs)]

    def _player(self, seat: int, spec: str, game: Game) -> Player:
        if spec == HUMAN:
            return Player(spec)
        return Player(spec, self._make(spec, game, derive(self._secret, "agent", seat)))

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
            self.draw(*[_WELCOME] * (bool(self.humans) and not self.position.history))
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
        if player.agent is not None:
            think(self, player, player.agent, self._delay)
            return
        if self.clocks:
            self.clocks.start(self.position.turn)
        try:
            self._listen(self._question())
        except TimeUp:
            self.flag_fell(self.position.turn)

    def _listen(self, question: Question) -> bool:
        """One line of a human, obeyed or refused with the reason; False if it was empty."""
        line = self.ask(question).strip()
        try:
            if line:
                self._obey(line)
        except (Leave, EOFError, TimeUp):
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
        if self.flag_fell(seat):
            return
        try:
            self.position.push(self.position.view().parse(line))  # a refusal, too, tells only what the seat knows
        except DaedalusError as error:
            near = get_close_matches(command, COMMANDS, n=1, cutoff=0.7)
            raise IllegalMove(format.one_line(error) + (f"; or the command '{near[0]}'?" if near else "")) from None
        self.moved(seat)
        self.draw()

    def _linger(self) -> bool:
        """After the end: may undo, load, save; False when there is nobody to ask or nothing more to do."""
        assert self.outcome is not None
        self.display.tell()
        self.screen.say(format.result(self.position.game, self.outcome), "bold")
        if not self.humans:
            return False
        if not self._judged:
            self._judged = True
            for line in coach.judged(self):
                self.screen.say(line)
        ways = "new, history, save FILE, load FILE, or Enter to leave"
        question = Question(
            "over> ", self._offered(), _WITH_FILE, ways if self.hidden else f"undo, {ways}", room=self.screen.room
        )
        while self.outcome is not None:
            if not self._listen(question):
                return False
        return True

    # --- what commands do to it -------------------------------------------------------------------------------------

    def give_up(self, seat: int, reason: str) -> None:
        """Ends the game against a seat."""
        self.given_up = Outcome.forfeited(seat, self.position.game.SEATS, reason)

    def moved(self, seat: int) -> None:
        """A seat has made its move."""
        if self.clocks:
            self.clocks.stop(moved=True)

    def flag_fell(self, seat: int) -> bool:
        """Has a seat no time left? Then it has lost."""
        if self.clocks is None or self.clocks.left(seat) > 0:
            return False
        self.clocks.stop()
        self.give_up(seat, f"{self.name(seat)} has no time left")
        self.draw()
        return True

    def seat(self, seat: int, spec: str) -> None:
        """Somebody else takes a seat, from the next move on."""
        player = self._player(seat, spec, self.position.game)
        self._dismiss(self.players[seat].agent)
        self.players[seat] = player
        self.helped = True  # by whom the game was played so far does not tell who is stronger

    def again(self) -> None:
        """Another game of the same players; one that runs is kept."""
        if self._deal is None:
            position = Position(self.position.game)
        else:
            position, self._secret = self._deal(self.position.game)
        if self.outcome is None:
            self._keep(None)
        self.change(position)
        self.saved = None

    def change(self, position: Position) -> None:
        """Goes on with another game, the same players in the same seats; refuses before anything has changed."""
        players = self._seated(position.game, [player.spec for player in self.players])
        self._close()
        self.position, self.players = position, players
        self.thoughts, self.given_up, self.saved = {}, None, tuple(position.history)
        self.helped, self._judged = bool(position.history), False
        self.clocks = self.clocks and self.clocks.fresh()
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

    def label(self, seat: int) -> str:
        """The seat's name, and who plays it if that is an agent."""
        player = self.players[seat]
        return self.name(seat) if player.agent is None else f"{self.name(seat)} ({player.spec})"

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
        hint = f"{count} legal moves · Tab offers them · rules · help · hint · quit"
        clock = self._clock if self.clocks else None
        return Question(f"{mover}> ", self._offered(), _WITH_FILE, hint, mover, self.screen.room, clock)

    def _clock(self) -> str | None:
        """What the clock of the seat to move shows; None when it has run out."""
        assert self.clocks is not None
        turn = self.position.turn
        return self.clocks.shown(turn) if self.clocks.left(turn) > 0 else None

    def draw(self, *notes: str) -> None:
        """The screen anew, with the moves just made and notes below the board."""
        self.display.draw(notes)

    # --- leaving ----------------------------------------------------------------------------------------------------

    def _close(self) -> None:
        for agent in [player.agent for player in self.players] + list(self._advisers.values()):
            self._dismiss(agent)
        self._advisers = {}

    @staticmethod
    def _dismiss(agent: Agent | None) -> None:
        with suppress(Exception):  # an agent that cannot even stop is no concern of the player's
            if agent is not None:
                agent.close()

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

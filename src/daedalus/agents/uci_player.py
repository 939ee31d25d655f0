"""What an engine of the text dialect holds: the game, the agent that plays it, their options, and the position."""

from daedalus.core import Agent, Game, InvalidOption, InvalidText, Position
from daedalus.core.contract import offers
from daedalus.core.errors import valid
from daedalus.core.options import make, parsed, written
from daedalus.core.registry import registration_of

from .engine_server import hidden_view
from .spec import describe, make_agent
from .uci_options import OptionLine, options_in, unset
from .uci_text import Setup, word_of

MULTIPV = OptionLine("MultiPV", "spin", "1", 1, 500)
OVERHEAD = OptionLine("Move Overhead", "spin", "10", 0, 5000)
SEED = OptionLine("Seed", "spin", "0", 0, 2**31 - 1)


class UciPlayer:
    """A change that cannot be made raises a DaedalusError with the reason and leaves everything as it was."""

    def __init__(self, game: Game, spec: str) -> None:
        self.game, self.spec = game, spec
        self.agent: Agent = make_agent(spec, game)
        self.ready = False
        self._settings: dict[str, str] = {}  # options of the agent, beside those in its spec
        self._numbers = {option.name: int(option.default) for option in (MULTIPV, OVERHEAD, SEED)}
        self._position: Position | None = None  # until somebody asks for it

    @property
    def name(self) -> str:
        """The name of the game."""
        return registration_of(self.game).name

    @property
    def multipv(self) -> int:
        """How many candidates an `info` tells."""
        return self._numbers[MULTIPV.name]

    @property
    def overhead(self) -> int:
        """Milliseconds kept back from each move."""
        return self._numbers[OVERHEAD.name]

    @property
    def hides(self) -> bool:
        """Are there hidden cards?"""
        return offers(type(self.game), "redeal")

    def prepare(self) -> None:
        """Compiles and loads whatever the agent may need in this game."""
        if not self.ready:
            self.agent.prepare(self.game)
            self.agent.new_game(self._numbers[SEED.name])
            self.ready = True

    def new_game(self) -> None:
        """The agent forgets the game before; the position is the start again."""
        self.agent.new_game(self._numbers[SEED.name])
        self._position = None

    # --- options ----------------------------------------------------------------------------------------------------

    def options(self) -> list[OptionLine]:
        """All options with the values that hold now."""
        names = [info.name for info in describe(self.name) if info.name != "engine"]
        agents = OptionLine("Agent", "combo", self.spec, choices=tuple(dict.fromkeys([self.spec, *names])))
        ponder = [] if self.hides else [OptionLine("Ponder", "check", "false")]
        numbers = [option.now(self._numbers[option.name]) for option in (MULTIPV, OVERHEAD, SEED)]
        return [agents, *ponder, *numbers, *options_in("agent", self.agent), *options_in("game", self.game)]

    def set_option(self, said: str) -> None:
        """`name NAME value VALUE`."""
        head, _, value = said.partition(" value ")
        keyword, _, name = " ".join(head.split()).partition(" ")
        value = value.strip()
        if keyword != "name" or not name:
            raise InvalidText("write setoption name NAME value VALUE")
        known = {option.name.lower(): option for option in self.options()}
        if name.lower() not in known:
            raise InvalidOption(valid("option", name, [option.name for option in known.values()]))
        option = known[name.lower()]
        owner, _, key = option.name.partition(".")
        if owner == "game":
            self._become(make(type(self.game), parsed(written(self.game)) | {key: value}), self.spec, self._settings)
        elif owner == "agent":
            self._set_agent(key, value)
        elif option.name == "Agent":
            if value not in option.choices:
                raise InvalidOption(valid("agent", value, option.choices))
            self._become(self.game, value, {})
        elif option.name in self._numbers:
            self._numbers[option.name] = option.whole(value)
            if option.name == SEED.name:
                self.agent.new_game(self._numbers[SEED.name])

    def _set_agent(self, key: str, value: str) -> None:
        if "," in value:
            raise InvalidOption(f"agent.{key}: there is a comma in it")
        others = {name: text for name, text in self._settings.items() if name != key}
        self._become(self.game, self.spec, others if unset(key, value, self.agent) else others | {key: value})

    def _become(self, game: Game, spec: str, settings: dict[str, str]) -> None:
        """Another game or another agent; it has to get ready again."""
        agent = make_agent(",".join([spec, *(f"{name}={value}" for name, value in settings.items())]), game)
        agent.new_game(self._numbers[SEED.name])
        self.agent.close()
        if game != self.game:
            self._position = None
        self.agent, self.game, self.spec, self._settings, self.ready = agent, game, spec, settings, False

    # --- the position -----------------------------------------------------------------------------------------------

    def set_position(self, said: str) -> str | None:
        """Takes over what a `position` says. Returns the text of a start that had to be dealt."""
        setup = Setup.parse(said)
        if self.hides:
            self._position = self._hidden(setup)
        else:
            self._position = self._open(setup)
        return self._position.text if setup.text is None and self._deals() else None

    def view(self) -> Position:
        """The position as the seat to move may know it."""
        if self._position is None:
            self._position = self._start()
        return self._position.view() if self._position.seat is None else self._position

    def _open(self, setup: Setup) -> Position:
        if setup.history:
            raise InvalidText("history is for games with hidden cards; write moves")
        if setup.text is None and setup.moves and self._deals():
            raise InvalidText(f"the start of {self.name} is dealt: name it, position text TEXT moves ...")
        position = self._start() if setup.text is None else Position.from_text(self.game, setup.text)
        for move in setup.moves:
            position.push(move)
        return position

    def _hidden(self, setup: Setup) -> Position:
        if setup.moves:
            raise InvalidText("where cards are hidden a move tells its seat something new: give the text of its view after it")
        if setup.text is None:
            return self._start()
        view = hidden_view(self.game, setup.text, list(setup.history))
        if _hides_more(setup.text, view.text):
            raise InvalidText("this text hides what the seat to move knows: give the text of its own view")
        return view

    def _start(self) -> Position:
        """The opening position, the same one every time unless it is dealt; of a hidden game what the first seat sees."""
        position = Position(self.game) if self._deals() else Position(self.game, 0)
        return position.view() if self.hides else position

    def _deals(self) -> bool:
        """Does a game begin with a position that chance decides?"""
        return len({Position(self.game, seed).text for seed in range(3)}) > 1

    def picture(self) -> list[str]:
        """The board for people, then the position, whose turn it is, and the legal moves or how it ended."""
        view = self.view()
        last = None if self.hides else view.last  # of earlier moves of a hidden game only the texts are known
        board = str(self.game.terminal(view.state, view.seat, last).plain).rstrip().splitlines()
        outcome = view.outcome()
        if outcome is not None:
            ending = f"over {outcome.reason}: {' '.join(f'{payoff:g}' for payoff in outcome.payoffs)}"
        else:
            ending = " ".join(["legal", *map(word_of, view.legal_moves)])
        return [*board, f"position text {view.text}", f"seat {view.turn} of {self.game.SEATS}", ending]


def _hides_more(given: str, seen: str) -> bool:
    """Is anything unknown (`?`) in one text of a position that the other tells?"""
    words = zip(given.split(), seen.split(), strict=False)
    letters = (zip(a, b, strict=True) if len(a) == len(b) else [(a, b)] for a, b in words)  # cards are letters or words
    return any(a == "?" != b for pairs in letters for a, b in pairs)

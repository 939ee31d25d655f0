"""The widget that shows a scene in Jupyter and elsewhere: anywidget brings the page's own board element to the notebook."""

from typing import Any

import anywidget
import traitlets

from daedalus.core import Limit, Position, Record

from .bundle import module, style
from .game import Game
from .scenes import Message, Scene


class BoardWidget(anywidget.AnyWidget):
    """A board in a notebook. What it shows is in `state` and `thought`, which the page follows."""

    _esm = module()
    _css = style()
    state = traitlets.Dict().tag(sync=True)
    thought = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)

    def __init__(self, scene: Scene) -> None:
        self.scene = scene  # first: whatever fails after it, the widget is closed
        super().__init__(state=scene.state())
        scene.tell = self._tell
        self.on_msg(self._heard)

    def _tell(self, message: Message) -> None:
        if message["type"] == "thought":
            self.thought = message["thought"]
        else:
            self.state = {name: value for name, value in message.items() if name != "type"}

    def _heard(self, widget: Any, message: Any, buffers: Any) -> None:
        answer = self.scene.hear(message) if isinstance(message, dict) else None
        if answer is not None:
            self.send(answer)

    def close(self) -> None:
        """The widget is no longer wanted, nor is what its scene does."""
        self.scene.close()
        super().close()


class GameWidget(BoardWidget):
    """A game that is played in a notebook."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.game = game
        game.go_on()

    @property
    def position(self) -> Position:
        """A copy of the position on the board, with all that is hidden."""
        return self.game.position.copy()

    @property
    def record(self) -> Record:
        """The game so far."""
        return self.game.record

    @property
    def limit(self) -> Limit | None:
        """What agents may use a move."""
        return self.game.limit

    def move(self, move: str | int) -> None:
        """Makes a move for the human whose turn it is, as a touch would."""
        self.game.move(move)

    def wait(self) -> None:
        """Waits until it is a human's turn or the game is over."""
        self.game.wait()

    def stop(self) -> None:
        """Ends the game where it is; whoever thinks stops."""
        self.game.close()

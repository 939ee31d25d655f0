"""Our games in OpenSpiel: importing this module registers each of them in pyspiel as `daedalus_NAME`.

import pyspiel
import daedalus.interop.open_spiel
game = pyspiel.load_game("daedalus_quoridor(width=5,height=5,walls=3)")

`register` does the same for a game of your own, `Bot` lets any agent of ours play there: docs/interop.md.
"""

from daedalus.core.errors import DaedalusError

try:
    import pyspiel as _pyspiel  # noqa: F401
except ModuleNotFoundError:
    raise DaedalusError("games in OpenSpiel need open_spiel: pip install 'daedalus[interop]'") from None

from .bots import Bot
from .games import PREFIX, OpenSpielGame, register, register_all
from .states import OpenSpielState

register_all()

__all__ = ["PREFIX", "Bot", "OpenSpielGame", "OpenSpielState", "register"]

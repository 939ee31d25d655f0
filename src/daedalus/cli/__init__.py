"""The command `daedalus`. Importing a module of commands puts them on the app, in the order of the help."""

from . import games, web  # noqa: F401

# isort: split
from . import arena, engine, learn, studies  # noqa: F401
from .app import app, main

__all__ = ["app", "main"]

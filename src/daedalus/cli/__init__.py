"""The command `daedalus`. Importing a module of commands puts them on the app."""

from . import arena, games  # noqa: F401  (the order is that of the help)
from .app import app, main

__all__ = ["app", "main"]

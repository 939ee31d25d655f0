"""Daedalus in a terminal: playing, replaying, and what the commands print. Nothing here knows a game."""

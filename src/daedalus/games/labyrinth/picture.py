"""Labyrinth as pictures."""

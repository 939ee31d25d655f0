"""Saboteur as pictures."""

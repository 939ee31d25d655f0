"""Saboteur, the two-player course variant with hidden objectives."""

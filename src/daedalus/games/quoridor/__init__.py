"""Quoridor for two and four players on boards from 3 x 3 to 11 x 11."""

"""Quoridor: its rules, and all else that is compiled."""

"""Colosseum Survival!: its rules, and all else that is compiled."""

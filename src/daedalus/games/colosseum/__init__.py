"""Colosseum Survival!: sizes 5 to 16, start rules of 2022 and 2023."""

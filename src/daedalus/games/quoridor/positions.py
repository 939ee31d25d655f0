"""From where training games start: near the end at first, further back as games go by (Hoľa 2016, section 4.8)."""

LONGEST = 120  # plies; so far back most games are at their beginning


def plies_back(games: int, standard_after: int) -> int:
    """How many plies before the end the games begin after so many; 0 once only the initial position is used."""
    if games >= standard_after:
        return 0
    return 1 + LONGEST * games // standard_after

"""Numbers in words: `1 wall`, `7 walls`."""


def counted(number: int, thing: str, things: str = "") -> str:
    """So many of a thing; the plural is the thing with an s unless it is given."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"

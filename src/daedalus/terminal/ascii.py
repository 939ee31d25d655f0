"""Letters for terminals that have no others: whether there are better ones, and what stands for each of ours."""

import os

# Lines keep what they tell: ' leads up, . leads down, + both ways; doubled ones have signs of their own.
_SIGNS = {
    "│║┃╵╷╹╻": "|%|'.'.",
    "─━═╴╶╸╺": "-==----",
    "└┘┴": "'''",
    "┌┐┬": "...",
    "├┤┼": "+++",
    "╨╚╝╩": '""""',
    "╥╔╗╦": ",,,,",
    "╠╣╬": "%%%",
    "╞╡": "==",
    "┏┓┗┛┣┫┳┻╋": "+++++++++",
    "▁": "_",
    "·✕✗★░▮…": ".xx*:#.",
    "▼▲▶◀": "v^><",
    "●■◆": "@&%",
}
TABLE = str.maketrans({sign: plain for signs, plains in _SIGNS.items() for sign, plain in zip(signs, plains, strict=True)})
_PLAIN = ("C", "POSIX")


def is_plain(encoding: str) -> bool:
    """Can only ASCII be shown? By the encoding, or because the user asked for the locale C, which Python takes for UTF-8."""
    if encoding.lower().replace("-", "").replace("_", "") not in ("utf8", "utf16", "utf32"):
        return True
    if os.environ.get("LC_ALL"):
        return os.environ["LC_ALL"] in _PLAIN
    coerced = os.environ.get("LC_CTYPE") in (None, "", "C.UTF-8", "C.utf8", "UTF-8")  # the value that Python sets itself
    return coerced and os.environ.get("LANG") in _PLAIN


def plain(text: str) -> str:
    """The text with a sign for each letter outside ASCII, one for one."""
    return text.translate(TABLE).encode("ascii", "replace").decode()

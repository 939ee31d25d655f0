"""Reading a text file of the user's: its text, or one sentence about why there is none."""

import os

from .errors import InvalidText

_LARGEST = 50_000_000  # bytes; a device that never ends is no text file


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file in UTF-8, without the mark that some editors put in front; InvalidText with the reason."""
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise InvalidText(error.strerror or "it cannot be read") from None
    except ValueError:  # a name that no file can have
        raise InvalidText("there is no such file") from None
    if len(data) > _LARGEST:
        raise InvalidText(f"it is larger than {_LARGEST // 1_000_000} MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidText("it is not UTF-8 text") from None

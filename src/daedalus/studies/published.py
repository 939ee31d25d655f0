"""Published numbers, looked up in a file of comma-separated values: never typed into code."""

import csv
import io
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from daedalus.core import InvalidText
from daedalus.core.reading import read_text

from .spec import InvalidStudy


@lru_cache(maxsize=16)
def _rows(path: Path) -> tuple[dict[str, str], ...]:
    try:
        return tuple(csv.DictReader(io.StringIO(read_text(path)), restkey="", restval=""))
    except (InvalidText, csv.Error) as error:
        raise InvalidStudy(f"cannot read the published numbers {path}: {error}") from None


def published(path: Path, where: Mapping[str, str], value: str = "value") -> str | None:
    """The value in the row in which all columns of `where` have these values; None if there is no such row."""
    rows = _rows(path)
    for column in (*where, value):
        if rows and column not in rows[0]:
            raise InvalidStudy(f"{path.name} has no column '{column}': {', '.join(rows[0])}")
    found = [row[value].strip() for row in rows if all(row[column] == text for column, text in where.items())]
    if len(found) > 1:
        raise InvalidStudy(f"{path.name}: {len(found)} rows for {dict(where)}")
    return found[0] if found else None


def number(text: str | None) -> float | None:
    """A published value as a number; None if it is none, like `<1`, or was not reported."""
    try:
        return float(text) if text else None
    except ValueError:
        return None

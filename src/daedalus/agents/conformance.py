"""What the checks of games and of agents share: parts that hold or do not, and a report of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from daedalus.core import Position

Progress = Callable[[float, str], None]


class Broken(Exception):
    """A promise is broken; the message says where."""


@dataclass
class Report:
    """What was checked: a name, whether it held, and a detail, for each part."""

    title: str
    lines: list[tuple[str, bool, str]] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return all(held for _, held, _ in self.lines)

    def __str__(self) -> str:
        return "\n".join(f"{'ok  ' if held else 'FAIL'} {name}: {detail}" for name, held, detail in self.lines)


def examine(
    title: str,
    parts: Mapping[str, Callable[[], str]],
    blame: Callable[[BaseException], str],
    progress: Progress | None,
    vital: str = "",
) -> Report:
    """Tries all parts, named as functions are; each returns what it found, or raises. Without the `vital` one it ends."""
    report = Report(title)
    for place, (key, part) in enumerate(parts.items()):
        name = key.strip("_").replace("_", " ")
        if progress:
            progress(place / len(parts), name)
        try:
            report.lines.append((name, True, part()))
        except Broken as fault:
            report.lines.append((name, False, str(fault)))
        except Exception as fault:  # whatever a user's code raises is a finding, not a crash of the check
            report.lines.append((name, False, blame(fault)))
        if key == vital and not report.ok:
            break
    if progress:
        progress(1.0, "done")
    return report


def demand(held: bool, otherwise: str, *what: object) -> None:
    """Raises Broken unless `held`. The message is filled in only then: texts of positions take their time."""
    if not held:
        raise Broken(otherwise.format(*(item.text if isinstance(item, Position) else item for item in what)))

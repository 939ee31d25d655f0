"""Recipes: dataclasses whose every number may be given in a TOML file."""

from dataclasses import fields
from typing import Any, Self

from .errors import InvalidOption, valid
from .options import refusal

_KINDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


class TomlRecipe:
    """Reads and writes a frozen dataclass of texts, numbers, truth values and lists of them; defaults say of which kind."""

    @classmethod
    def of(cls, given: dict[str, Any]) -> Self:
        """A recipe from the values of a TOML file; what is not in it has its default."""
        made = cls()
        values = {field.name: getattr(made, field.name) for field in fields(made)}  # type: ignore[arg-type]
        for name, value in given.items():
            if name not in values:
                raise InvalidOption(valid("entry of a recipe", name, values))
            values[name] = _read(name, value, values[name])
        recipe = cls(**values)
        recipe.check()
        return recipe

    def check(self) -> None:
        """Refuses numbers with which nothing can be trained."""

    def text(self) -> str:
        """The recipe as TOML."""
        return "".join(f"{field.name} = {_written(getattr(self, field.name))}\n" for field in fields(self))  # type: ignore[arg-type]


def _read(name: str, value: Any, default: Any) -> Any:
    """A value of the same kind as the default."""
    if isinstance(default, tuple):
        kind = type(default[0])
        if isinstance(value, list) and all(_is_like(item, kind) for item in value):
            return tuple(kind(item) for item in value)
        raise refusal(name, value, {str: "a list of texts", int: "a list of whole numbers"}.get(kind, "a list of numbers"))
    if not _is_like(value, type(default)):
        raise refusal(name, value, _KINDS[type(default)])
    return type(default)(value)


def _is_like(value: Any, kind: type) -> bool:
    """Is it of a kind? A whole number is a number too."""
    return type(value) is kind or (kind is float and type(value) is int)


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if isinstance(value, str) else repr(value)

"""The widget's code as one ES module: the page's own modules, each in a function of its own, put together when it is needed.

A notebook loads one text and can ask nobody for more. No build step: imports become constants, exports a returned object.
"""

import re
from functools import cache
from importlib.resources import files

_WIDGET, _PAGE = "notebook/static", "web/static"
_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"[./\w-]*?(\w+)\.js";$', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (\w+))", re.M)
# The rules of the page's style sheet that are the board's, each on a line.
_BOARD_RULES = re.compile(r"^(?:daedalus-board|\[data-touch\]|\.marks).*$", re.M)


@cache
def module() -> str:
    """The whole widget; its default export is what anywidget asks for."""
    found: dict[str, str] = {}
    _collect("widget", _WIDGET, found)
    return "\n".join([*found.values(), "export default { render: $widget.render };\n"])


@cache
def style() -> str:
    """The widget's style sheet, with what the page says about boards."""
    return "\n".join([*_BOARD_RULES.findall(_read(f"{_PAGE}/style.css")), _read(f"{_WIDGET}/widget.css")])


def _collect(name: str, folder: str, found: dict[str, str]) -> None:
    """Adds a module after those that it imports."""
    text = _read(f"{folder}/{name}.js")
    for _, other in _IMPORT.findall(text):
        if other not in found:
            _collect(other, _PAGE, found)
    exported = _EXPORT.findall(text)
    body = _EXPORT.sub("", _IMPORT.sub(_constants, text))
    found[name] = f"const ${name} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _constants(statement: re.Match[str]) -> str:
    """`import { a, b as c } from "./x.js"` as `const { a, b: c } = $x`; an import for its effect alone is done already."""
    names, module = statement.groups()
    return f"const {{{names.replace(' as ', ': ')}}} = ${module};" if names else ""


def _read(path: str) -> str:
    return files("daedalus").joinpath(path).read_text(encoding="utf-8")

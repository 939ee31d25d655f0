"""The house as its imports show it: arrows point one way, nothing goes round in a circle, and the map is true."""

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
# The order of the drawing in CONTRIBUTING.md: a folder may import those before it, never one after it.
LAYERS = re.findall(
    r"^  (\w+)/? +\S", re.search(r"src/daedalus/\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)[1], re.M
)


def name_of(path):
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted((SOURCE / "daedalus").rglob("*.py"))}


TREES = {name: ast.parse(path.read_text()) for name, path in MODULES.items()}


def imported(name, everywhere):
    """The modules of the package that a module imports: when it is loaded, or anywhere in it (types alone do not count)."""
    path = MODULES[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    waiting = list(TREES[name].body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            place = ".".join([*base, *([node.module] if node.module else [])])
            found |= {f"{place}.{alias.name}" if f"{place}.{alias.name}" in MODULES else place for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif everywhere or not isinstance(node, ast.FunctionDef):
            waiting += ast.iter_child_nodes(node)
    return {module for module in found if module in MODULES and module != name}


def layer(name):
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


def test_the_map_shows_every_folder():
    folders = {path.parent.name for path in (SOURCE / "daedalus").glob("*/__init__.py")}
    assert set(LAYERS) == folders


def test_nothing_imports_in_a_circle():
    graph = {name: imported(name, everywhere=False) - {"daedalus"} for name in MODULES if name != "daedalus"}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(" <- ".join(circle.args[1]))


def test_arrows_point_one_way():
    wrong = [
        f"{name} imports {other}"
        for name in MODULES
        if layer(name) in LAYERS
        for other in imported(name, everywhere=True)
        if layer(other) in LAYERS and LAYERS.index(layer(other)) > LAYERS.index(layer(name))
    ]
    assert not wrong


def test_no_game_imports_another():
    def game(name):
        return name.split(".")[2] if name.startswith("daedalus.games.") else None

    for name in MODULES:
        if game(name):
            assert all(game(other) in (None, game(name)) for other in imported(name, everywhere=True)), name


def test_search_and_screens_know_no_game():
    for name in MODULES:
        if layer(name) in ("search", "terminal", "cli", "arena"):
            assert not [other for other in imported(name, everywhere=True) if other.startswith("daedalus.games.")], name


def named_in_code(tree):
    """The names, imports and texts of a module that are neither documentation nor the example at the end of a command's help."""
    told = set()
    for node in ast.walk(tree):
        first = node.body[0] if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body else None
        told |= {first.value} if isinstance(first, ast.Expr) else set()
        told |= {node.value} if isinstance(node, ast.keyword) and node.arg == "epilog" else set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told:
            yield node.value
        elif isinstance(node, (ast.Name, ast.Attribute, ast.alias, ast.ImportFrom)):
            yield next(filter(None, (getattr(node, part, None) for part in ("id", "attr", "name", "module"))), "")


@pytest.fixture(scope="module")
def code():
    return {name: set(named_in_code(tree)) for name, tree in TREES.items()}


def test_no_list_of_games_is_kept_by_hand(code):
    games = {name.split(".")[2] for name in MODULES if name.startswith("daedalus.games.")}
    assert len(games) >= 5
    for name, texts in code.items():
        own = name.split(".")[2] if name.startswith("daedalus.games.") else None
        words = {word for text in texts for word in re.findall(r"[a-z]+", text.lower())}
        assert not (games - {own}) & words, f"{name} names a game that is not its own"


def test_no_list_of_modules_is_kept_by_hand(code):
    """What the type checker, the packer and the fingerprint are told follows from paths."""
    project = (ROOT / "pyproject.toml").read_text()
    assert not [name for name in MODULES if name.count(".") > 1 and name in project]
    for name, words in code.items():
        files = {
            other for other in MODULES if other != name and other.count(".") > 1 and f"{other.rpartition('.')[2]}.py" in words
        }
        assert len(files) < 2, f"{name} lists {files}"

"""The page's own code: small, plain, and asking nobody else for anything."""

import re

from daedalus.web.app import STATIC

FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
MODULES = [path for path in FILES if path.suffix == ".js"]


def test_it_is_small() -> None:
    assert len(MODULES) > 10
    assert sum(path.stat().st_size for path in FILES) < 250_000


def test_it_names_no_other_host_and_runs_no_text() -> None:
    for path in FILES:
        text = path.read_text().replace("http://www.w3.org/", "")
        assert not re.search(r"https?://[\w.]|//[\w-]+\.[a-z]{2,}/", text), path.name
        assert not re.search(r"\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write", text), path.name
        if path.suffix == ".html":
            assert not re.search(r"<style|style=|<script(?![^>]*\bsrc=)|\son\w+=", text), path.name


def test_every_module_tells_its_subject_and_is_reached_from_the_page() -> None:
    reached, found = {"main.js"}, ["main.js"]
    while found:
        for name in re.findall(r'from "\./([\w.]+)"|import "\./([\w.]+)"', (STATIC / found.pop()).read_text()):
            module = name[0] or name[1]
            if module not in reached:
                reached.add(module)
                found.append(module)
    assert reached == {path.name for path in MODULES}
    assert all(path.read_text().startswith("// ") for path in MODULES)


def test_the_page_knows_no_game() -> None:
    from daedalus.core.registry import game_names

    for path in MODULES:
        code = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        assert not any(name in code.lower() for name in game_names()), path.name

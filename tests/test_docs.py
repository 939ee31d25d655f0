"""The documentation: whatever it links to is there. (Its examples run as doctests.)"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
    broken = [link for link in links if "://" not in link and not (page.parent / link.partition("#")[0]).exists()]
    assert broken == []


def test_every_game_has_a_page_with_a_picture_and_is_in_the_readme():
    import daedalus

    readme = (ROOT / "README.md").read_text()
    for name in daedalus.game_names():
        assert f"](images/{name}.svg)" in (ROOT / "docs" / f"{name}.md").read_text()
        assert f"](docs/{name}.md)" in readme

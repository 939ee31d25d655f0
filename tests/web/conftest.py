"""A server for the tests of a module, and a new browser for each test."""

from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="the web extra is not installed: pip install 'daedalus[web]'")

from web.house import Client, House, opened


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with opened(tmp_path_factory.mktemp("web")) as house:
        yield house


@pytest.fixture
def client(house: House) -> Client:
    house.searches.hold, house.searches.fail = False, None
    return Client(house)

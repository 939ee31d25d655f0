"""Settings shared by all tests: no notices on stderr, a shared compile cache, nothing kept for good, Ctrl-C that is heard."""

import os
import signal
import tempfile
from pathlib import Path

import pytest
from postgres import postgres  # noqa: F401 (a fixture)

# A shell without job control starts what runs in the background deaf to Ctrl-C, and so would be the commands under test.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What tests play is not put among the user's own games and runs; workers take the folder over from who started them.
if "PYTEST_XDIST_WORKER" not in os.environ:
    HOME = tempfile.TemporaryDirectory(prefix="daedalus-tests-")
    os.environ["XDG_DATA_HOME"] = HOME.name

os.environ.setdefault("DAEDALUS_QUIET", "1")
os.environ.setdefault("DAEDALUS_KEY", "tests")  # hidden games are dealt the same on every machine

# With every array access checked, only tests whose subject is kernels are worth their time: those in folders of that name.
if os.environ.get("NUMBA_BOUNDSCHECK"):

    def pytest_ignore_collect(collection_path: Path) -> bool | None:
        return True if collection_path.is_file() and collection_path.parent.name != "kernels" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files of few long tests begin, so that no worker is left alone with them at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)

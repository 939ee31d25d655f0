"""A PostgreSQL server for the tests, where its programs are installed."""

import getpass
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest


def _programs() -> Path | None:
    """Where initdb is: Debian keeps it out of the path."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "initdb").exists() and (place / "postgres").exists()), None)


def _unprivileged() -> str | None:
    """The user to run the server as: PostgreSQL refuses to be root."""
    if os.geteuid():
        return getpass.getuser()
    users = {user.pw_name for user in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in users), None)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a server that lives as long as the tests."""
    programs, user = _programs(), _unprivileged()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    if user is None:
        pytest.skip("PostgreSQL cannot run as root, and there is neither a user postgres nor nobody")
    if find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed (pip install 'daedalus[postgres]')")
    home = Path(tempfile.mkdtemp(prefix="daedalus-pg-", dir="/tmp"))  # a socket's path must be short
    if not os.geteuid():
        shutil.chown(home, user)
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": home}
    quiet |= {} if os.geteuid() else {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    subprocess.run([programs / "initdb", "-D", home / "data", "-U", "arena", "-A", "trust", "--no-sync"], check=True, **quiet)
    settings = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={home}", "-c", "fsync=off"]
    server = subprocess.Popen([programs / "postgres", "-D", home / "data", *settings], **quiet)
    try:
        address = f"postgresql://arena@/postgres?host={home}"
        _wait_for(server, address)
        yield address
    finally:
        server.terminate()
        server.wait(60)
        shutil.rmtree(home, ignore_errors=True)


def _wait_for(server: "subprocess.Popen[bytes]", address: str) -> None:
    import psycopg

    deadline = time.monotonic() + 60
    while True:
        assert server.poll() is None, "the server did not start"
        try:
            psycopg.connect(address).close()
            return
        except psycopg.OperationalError:
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.05)

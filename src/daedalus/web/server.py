"""Running the server: it takes its port first, says where it is, and ends within a second of Ctrl-C."""

import asyncio
import contextlib
import dataclasses
import errno
import ipaddress
import json
import logging
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Sequence

from daedalus.core import DaedalusError

from .app import create_app
from .catalogue import Catalogue
from .guard import LOOPBACK
from .settings import Settings
from .store import TableStore

_LOGGED = ("table", "game", "reason", "pid")
PORT = 8000


class _Lines(logging.Formatter):
    """A line of JSON for each event, without anything that opens a seat."""

    def format(self, record: logging.LogRecord) -> str:
        told = {"time": round(record.created, 3), "level": record.levelname.lower(), "event": record.getMessage()}
        told |= {name: getattr(record, name) for name in _LOGGED if hasattr(record, name)}
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return json.dumps(told)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; a port in use is one clear line."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        made = socket.socket(family, socket.SOCK_STREAM)
        if os.name != "nt":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(256)
    except (OSError, OverflowError, UnicodeError) as error:
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise DaedalusError(f"port {port} is in use; choose another with --port, or 0 for any that is free") from None
        reason = getattr(error, "strerror", None) or str(error)
        raise DaedalusError(f"cannot listen on {host} port {port}: {reason}") from None
    return made


def serve(
    games: Sequence[str] = (),
    host: str = "127.0.0.1",
    port: int = PORT,
    browser: bool = True,
    db: str | None = None,
    workers: int | None = None,
    allow_code: bool = False,
) -> None:
    """Serves until Ctrl-C."""
    import uvicorn

    door = listening(host, port)
    store = TableStore(db)
    catalogue = Catalogue(games)
    settings = dataclasses.replace(Settings(), workers=workers) if workers else Settings()
    hosts, anywhere = names_of(host)
    app = create_app(settings, store, catalogue, hosts=hosts, anywhere=anywhere, allow_code=allow_code, warm=True)
    _log()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=4 * settings.message,
        ws_per_message_deflate=host not in LOOPBACK,  # a sixth of the work for many tables, and nothing to gain here
        timeout_graceful_shutdown=1,
        lifespan="on",
        proxy_headers=False,
    )
    server = uvicorn.Server(config)
    address = f"http://{_shown(host)}:{door.getsockname()[1]}/"
    print(f"Daedalus is at {address}   (Ctrl-C ends it; running games go on at the next start)", flush=True)
    if browser:
        threading.Thread(target=_open, args=(server, address), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(server.serve(sockets=[door]))
    store.close()
    sys.stdout.flush()
    os._exit(0)  # threads that still work for a game are not waited for; all that counts is in the store


def names_of(host: str) -> tuple[set[str], bool]:
    """The names that the server answers to, and whether any address in numbers is one."""
    wild = host in ("0.0.0.0", "::", "")
    names = {*LOOPBACK, host} if host and not wild else set(LOOPBACK)
    try:
        outside = wild or not ipaddress.ip_address(host).is_loopback
    except ValueError:
        outside = host != "localhost"
    if outside:
        own = socket.gethostname().lower()
        names |= {own, f"{own}.local", socket.getfqdn().lower()}
    return names, wild


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::", ""):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _open(server: object, address: str) -> None:
    """The browser, as soon as the server answers; where there is none, nothing."""
    for _ in range(100):
        if getattr(server, "started", False):
            break
        time.sleep(0.05)
    with contextlib.suppress(Exception):
        if sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            webbrowser.open(address)


def _log() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines())
    handler.setLevel(logging.WARNING)
    for name in ("daedalus.web", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO)

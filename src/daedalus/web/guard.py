"""What every request meets first: is it meant for this host and sent by our own page, is it small enough; and the headers."""

import ipaddress
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", _CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]
_SAFE = ("GET", "HEAD", "OPTIONS")
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class _TooLarge(HTTPException):
    """Raised while the app reads a body, which it would take for a body that it cannot read."""

    def __init__(self, most: int) -> None:
        super().__init__(413, f"a request has at most {most} bytes")


class Guard:
    """Stands before the app. `hosts` are the names it is called by; `anywhere` takes any address written in numbers too."""

    def __init__(self, app: App, hosts: Iterable[str], anywhere: bool, body: int) -> None:
        self._app, self._hosts, self._anywhere, self._body = app, {host.lower() for host in hosts}, anywhere, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        reason = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if reason:
                await _refuse_socket(scope, receive, send, reason)
            else:
                await self._app(scope, receive, send)
            return
        if reason:
            await _answer(_with_headers(send), 403, reason)
            return
        await self._bounded(scope, receive, _with_headers(send), headers)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> str | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._knows(host):
            return "this server is not called by that name"
        if scope["type"] == "http" and scope["method"] in _SAFE:
            return None
        origin = headers.get(b"origin")
        if origin is not None and urlsplit(_text(origin)).netloc.lower() != host.lower():
            return "requests from other sites are refused"
        if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            return "requests from other sites are refused"
        return None

    def _knows(self, host: str) -> bool:
        name = _name(host)
        if name is None:
            return False
        return name in self._hosts or (self._anywhere and _is_address(name))

    async def _bounded(self, scope: Scope, receive: Receive, send: Send, headers: dict[bytes, bytes]) -> None:
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:12]) > self._body:
            await _answer(send, 413, f"a request has at most {self._body} bytes")
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._body:
                raise _TooLarge(self._body)
            return message

        await self._app(scope, counted, send)


def _text(value: bytes) -> str:
    text = value.decode("latin-1")
    return "" if "[" in text.partition("://")[2] and "]" not in text else text  # urlsplit raises on those


def _name(host: str) -> str | None:
    """The name in a Host header, without its port."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return None
    return name.rstrip(".") if name else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *_HEADERS]
        await send(message)

    return sent


async def _answer(send: Send, status: int, reason: str) -> None:
    body = json.dumps({"error": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _refuse_socket(scope: Scope, receive: Receive, send: Send, reason: str) -> None:
    await receive()
    if "websocket.http.response" in scope.get("extensions", {}):
        body = json.dumps({"error": reason}).encode()
        await send(
            {"type": "websocket.http.response.start", "status": 403, "headers": [(b"content-type", b"application/json")]}
        )
        await send({"type": "websocket.http.response.body", "body": body})
    else:
        await send({"type": "websocket.close", "code": 1008})

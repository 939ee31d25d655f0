"""The web application: pages, the JSON interface and the sockets of tables."""

import asyncio
import contextlib
import logging
import mimetypes
import re
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

from daedalus.core import DaedalusError
from daedalus.core.printable import printable

from . import models, sockets
from .catalogue import Catalogue, refusal
from .guard import LOOPBACK, Guard
from .making import new_table
from .rooms import Room, Rooms, TooMany
from .searches import Searches
from .settings import Settings
from .states import lesson_state, outcome, preview
from .store import Listed, StoreFailed, TableStore
from .tables import AGENT, hashed, new_id, outcome_of

log = logging.getLogger("daedalus.web")
STATIC = Path(__file__).parent / "static"
COOKIE = "daedalus"
_YEAR = 365 * 86_400
_ID = re.compile(r"[\w-]{1,64}")
_ERRORS: dict[int | str, dict[str, Any]] = {code: {"model": models.Error} for code in (400, 403, 404, 413, 422, 429, 503)}
T = TypeVar("T")


class Web:
    """What all requests share."""

    def __init__(self, settings: Settings, store: TableStore, catalogue: Catalogue, searches: Any, allow_code: bool) -> None:
        self.settings, self.store, self.catalogue, self.searches = settings, store, catalogue, searches
        self.allow_code = allow_code
        self.rooms = Rooms(settings, store, catalogue, searches)
        self.sockets: dict[str, int] = {}

    def game(self, identity: str) -> str:
        if identity not in self.catalogue.ids:
            raise HTTPException(404, "there is no such game")
        return identity

    async def room(self, identity: str) -> Room:
        if not _ID.fullmatch(identity):
            raise HTTPException(404, "there is no such table")
        room = await self.rooms.room(identity)
        if room is None:
            raise HTTPException(404, "there is no such table")
        return room

    async def away(self, work: Callable[..., T], *arguments: Any) -> T:
        """Work of a game, in a thread; whatever goes wrong in it is one sentence."""
        try:
            return await asyncio.to_thread(work, *arguments)
        except (HTTPException, DaedalusError):
            raise
        except Exception as error:  # of a game that we may not know
            raise DaedalusError(refusal(error)) from None


def create_app(
    settings: Settings,
    store: TableStore,
    catalogue: Catalogue,
    searches: Any = None,
    hosts: Iterable[str] = LOOPBACK,
    anywhere: bool = False,
    allow_code: bool = False,
    warm: bool = False,
) -> Guard:
    """The application; `searches` may be another that thinks, `hosts` are the names the server is called by."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        thinking = Searches(settings) if searches is None else searches
        web = app.state.web = Web(settings, store, catalogue, thinking, allow_code)
        loop = asyncio.get_running_loop()
        store.listen(lambda identity: _call(loop, web.rooms.changed_elsewhere, identity))
        tidying = asyncio.create_task(_tidy(web))
        if warm:
            thinking.warm(catalogue.name_of(identity) for identity in catalogue.ids)
        yield
        tidying.cancel()
        web.rooms.close()
        thinking.close()

    app = FastAPI(
        title="Daedalus", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json", responses=_ERRORS
    )
    _errors(app)
    _games(app)
    _tables(app)
    _sockets(app)
    _pages(app)
    return Guard(app, hosts, anywhere, settings.body)


def _call(loop: asyncio.AbstractEventLoop, work: Callable[..., None], *arguments: Any) -> None:
    with contextlib.suppress(RuntimeError):  # the loop may have ended
        loop.call_soon_threadsafe(work, *arguments)


async def _tidy(web: Web) -> None:
    while True:
        await asyncio.sleep(min(30.0, web.settings.idle_seconds))
        web.rooms.tidy()


def _errors(app: FastAPI) -> None:
    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        return JSONResponse({"error": printable(str(error.detail))}, error.status_code, error.headers)

    @app.exception_handler(DaedalusError)
    async def wrong(request: Request, error: DaedalusError) -> Response:
        status = 429 if isinstance(error, TooMany) else 503 if isinstance(error, StoreFailed) else 422
        return JSONResponse({"error": printable(str(error))}, status)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body")
        return JSONResponse({"error": printable(f"{place}: {first['msg']}" if place else str(first["msg"]))}, 422)


def _web(request: Request | WebSocket) -> Web:
    web: Web = request.app.state.web
    return web


def _client(request: Request | WebSocket) -> str | None:
    """The hash of the id in the caller's cookie."""
    given = request.cookies.get(COOKIE)
    return hashed(given) if given and _ID.fullmatch(given) else None


def _address(request: Request | WebSocket) -> str:
    return request.client.host if request.client else "?"


def _remember(request: Request, response: Response) -> str:
    """The client's id, by a cookie that it gets if it has none; its hash."""
    given = request.cookies.get(COOKIE)
    if not given or not _ID.fullmatch(given):
        given = new_id()
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, given, max_age=_YEAR, httponly=True, samesite="strict", path="/", secure=secure)
    return hashed(given)


# --- games --------------------------------------------------------------------------------------------------------------


def _games(app: FastAPI) -> None:
    @app.get("/api/health", response_model=models.Health)
    async def health() -> Any:
        return {"ok": True}

    @app.get("/api/version", response_model=models.Version)
    async def version() -> Any:
        from daedalus import __version__

        return {"version": __version__}

    @app.get("/api/games", response_model=list[models.GameCard])
    async def games(request: Request) -> Any:
        web = _web(request)
        return await web.away(lambda: [web.catalogue.card(identity) for identity in web.catalogue.ids])

    @app.get("/api/games/{game}", response_model=models.GamePage)
    async def game_page(request: Request, game: str) -> Any:
        web = _web(request)
        return await web.away(web.catalogue.page, web.game(game))

    @app.get("/api/games/{game}/demo", response_model=models.Demo)
    async def demo(request: Request, game: str) -> Any:
        web = _web(request)
        return {"boards": await web.away(web.catalogue.demo, web.game(game))}

    @app.post("/api/games/{game}/setup", response_model=models.SetupAnswer)
    async def setup(request: Request, game: str, wish: models.Setup) -> Any:
        web = _web(request)
        return await web.away(web.catalogue.setup, web.game(game), wish.options)

    @app.get("/api/games/{game}/lessons/{number}", response_model=models.LessonPage)
    async def lesson(request: Request, game: str, number: int) -> Any:
        web = _web(request)
        return await web.away(_lesson, web.catalogue, web.game(game), number)

    @app.post("/api/games/{game}/lessons/{number}", response_model=models.LessonReply, response_model_exclude_none=True)
    async def answer(request: Request, game: str, number: int, answer: models.LessonAnswer) -> Any:
        web = _web(request)
        return await web.away(_answer, web.catalogue, web.game(game), number, answer)


def _lesson(catalogue: Catalogue, game: str, number: int) -> dict[str, Any]:
    lessons = catalogue.guide(game).lessons
    if not 0 <= number < len(lessons):
        raise HTTPException(404, "there is no such lesson")
    position = lessons[number].begin(catalogue.entry(game))
    shown = lesson_state(position, game, catalogue.title(game), position.turn)
    return {"number": number, "of": len(lessons), "say": lessons[number].say, "state": shown}


def _answer(catalogue: Catalogue, game: str, number: int, answer: models.LessonAnswer) -> dict[str, Any]:
    _lesson(catalogue, game, number)
    lessons = catalogue.guide(game).lessons
    lesson = lessons[number]
    position = lesson.begin(catalogue.entry(game))
    view, you = position.view(), position.turn
    if answer.move is None:
        move = view.legal_moves.touched(answer.touched or [])
        if move is None:
            return {"preview": preview(view, answer.touched or [], False)}
    else:
        move = view.parse(answer.move)
    right = str(move) in lesson.wanted
    if right:
        position.push(int(move))
    shown = lesson_state(position, game, catalogue.title(game), you)
    say = lesson.done if right else lesson.other
    return {"right": right, "say": say, "state": shown, "last": number == len(lessons) - 1}


# --- tables -------------------------------------------------------------------------------------------------------------


def _tables(app: FastAPI) -> None:
    @app.post("/api/tables", response_model=models.TableMade)
    async def make(request: Request, response: Response, wish: models.NewTable) -> Any:
        web = _web(request)
        web.game(wish.game)
        web.rooms.demand_slow(_address(request))
        client = _remember(request, response)
        if await web.rooms.run(web.store.running, client) >= web.settings.tables_a_client:
            raise TooMany("you have too many running games; finish some first")
        if await web.rooms.run(web.store.running) >= web.settings.tables:
            raise TooMany("this server has too many running games")
        table, tokens = await web.away(new_table, wish, web.catalogue, web.settings, client, web.allow_code)
        await web.rooms.run(web.store.add, table.saved(web.catalogue.name_of(table.game_id), wish.options))
        with contextlib.suppress(TooMany):  # it is in the store, and will be loaded when there is room
            web.rooms.add(table)
        log.info("table made", extra={"game": table.game_id})
        seats = [{"seat": number, "who": asked.who, "token": tokens.get(number)} for number, asked in enumerate(wish.seats)]
        return {"table": table.id, "seats": seats}

    @app.get("/api/tables", response_model=list[models.OwnGame])
    async def own(request: Request) -> Any:
        web, client = _web(request), _client(request)
        if client is None:
            return []
        listed = await web.rooms.run(web.store.tables_of, client, web.settings.listed)
        return await web.away(lambda: [told for saved in listed if (told := _own(web, saved, client)) is not None])

    @app.get("/api/tables/{table}", response_model=models.TableInfo)
    async def table_info(request: Request, table: str) -> Any:
        web, room = _web(request), await _web(request).room(table)
        return {"table": table, "game": room.table.game_id, "title": web.catalogue.title(room.table.game_id)}

    @app.post("/api/tables/{table}/claim", response_model=models.Claimed)
    async def claim(request: Request, response: Response, table: str) -> Any:
        web, room = _web(request), await _web(request).room(table)
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        seats = (
            [n for n, seat in enumerate(room.table.seats) if seat.opened_by(token[:200])] if kind.lower() == "bearer" else []
        )
        if not seats:
            raise HTTPException(403, "this link opens no seat here")
        client = _remember(request, response)
        for seat in seats:
            await web.rooms.run(web.store.hold, table, seat, client)
            room.table.seats[seat].holders.add(client)
        return {"you": room.table.held_by(client)}

    @app.get("/api/tables/{table}/record", response_class=PlainTextResponse)
    async def record(request: Request, table: str) -> Any:
        web, room = _web(request), await _web(request).room(table)
        if room.table.hidden and room.table.outcome is None:
            raise HTTPException(403, "this game still runs, and its record would tell the hidden cards")
        return PlainTextResponse((await web.away(room.table.record)).text)


def _own(web: Web, saved: Listed, client: str) -> dict[str, Any] | None:
    """A game of a client's list, from what the store keeps of it; None if the game is not offered now."""
    identity = web.catalogue.id_of(saved.game)
    if identity is None:
        return None
    try:
        names = web.catalogue.seats(identity, saved.options)
    except Exception:  # options that a game of the owner's own does not have any more
        return None
    seats = [
        {"name": name, "who": _who(seat, saved.holders.get(number)), "label": seat["label"] or seat["who"]}
        for number, (name, seat) in enumerate(zip(names, saved.seats, strict=True))
    ]
    return {
        "table": saved.id,
        "game": identity,
        "title": web.catalogue.title(identity),
        "you": [seat for seat in sorted(saved.holders) if client in saved.holders[seat]],
        "seats": seats,
        "ply": saved.ply,
        "turn": saved.turn,
        "outcome": outcome(names, outcome_of(saved.ended)),
        "updated": saved.updated.isoformat() + "Z",
    }


def _who(seat: dict[str, Any], holders: set[str] | None) -> str:
    return seat["who"] if seat["who"] == AGENT or holders else "open"


def _sockets(app: FastAPI) -> None:
    @app.websocket("/api/tables/{table}/socket")
    async def socket(socket: WebSocket, table: str) -> None:
        web, address = _web(socket), _address(socket)
        try:
            room = await web.room(table)
        except (HTTPException, DaedalusError):
            await socket.close(1008)
            return
        settings = web.settings
        full = sum(web.sockets.values()) >= settings.sockets or web.sockets.get(address, 0) >= settings.sockets_an_address
        if full or room.coming >= settings.sockets_a_table:
            await socket.close(1013)
            return
        web.sockets[address] = web.sockets.get(address, 0) + 1
        room.coming += 1
        try:
            await socket.accept()
            await sockets.serve(socket, room, web.rooms, _client(socket), address)
        finally:
            room.coming -= 1
            web.sockets[address] -= 1
            if not web.sockets[address]:
                del web.sockets[address]


# --- pages --------------------------------------------------------------------------------------------------------------


def _pages(app: FastAPI) -> None:
    async def page() -> Response:
        return _file("index.html")

    for path in ("/", "/help", "/new/{game}", "/learn/{game}", "/rules/{game}", "/table/{table}"):
        app.add_api_route(path, page, include_in_schema=False)

    @app.get("/static/{path:path}", include_in_schema=False)
    async def static(path: str) -> Response:
        return _file(path)


def _file(path: str) -> Response:
    """A file of the page; none outside its folder."""
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)*", path) or ".." in path:
        raise HTTPException(404, "there is no such page")
    place = STATIC / path
    if not place.is_file():
        raise HTTPException(404, "there is no such page")
    kind = "text/javascript" if place.suffix in (".js", ".mjs") else mimetypes.guess_type(place.name)[0]
    return FileResponse(place, media_type=kind, headers={"cache-control": "no-cache"})


__all__ = ["Web", "create_app"]

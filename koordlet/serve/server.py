"""The HTTP server: metrics and health for everybody, state for this machine only."""

import asyncio
import ipaddress
import os
import socket
import stat
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
from aiohttp import web

from koord.supervise import Supervisor
from koordlet.collect.observation import Observation
from koordlet.serve.debug import health, readiness, state
from koordlet.serve.exposition import CONTENT_TYPE
from koordlet.serve.registries import Registries

MAX_WINDOW_S = 3600.0
_GZIP = 16 + zlib.MAX_WBITS


class ListenError(Exception):
    """An address or socket path that can't be listened on; the message names it and the cause."""


class Server:
    """Serves one observation on a TCP address and on a unix socket."""

    def __init__(self, observation: Observation, supervisor: Supervisor) -> None:
        self._observation = observation
        self._supervisor = supervisor
        self._registries = Registries(observation, supervisor)
        self._started_s = time.monotonic()
        self._runner = web.AppRunner(self._app(), access_log=None, handle_signals=False, shutdown_timeout=0.2)
        self._socket_path: Path | None = None

    async def start(self, address: str, port: int, socket_path: Path) -> None:
        """Listen on both; an empty address means every one. ListenError when one can't be."""
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, address or None, port).start()
        except OSError as error:
            raise ListenError(f"cannot listen on {address}:{port}: {error.strerror}") from None
        try:
            await web.SockSite(self._runner, _private_socket(socket_path)).start()
        except OSError as error:
            raise ListenError(f"cannot listen on {socket_path}: {error.strerror}") from None
        self._socket_path = socket_path

    async def stop(self) -> None:
        """Stop listening and remove the socket."""
        await self._runner.cleanup()
        if self._socket_path is not None:
            self._socket_path.unlink(missing_ok=True)

    def _app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/metrics", self._page(self._registries.all))
        app.router.add_get("/internal-metrics", self._page(self._registries.internal))
        app.router.add_get("/external-metrics", self._page(self._registries.external))
        app.router.add_get("/healthz", self._healthz)
        app.router.add_get("/readyz", self._readyz)
        app.router.add_get("/debug/state", self._debug_state)
        app.router.add_get("/v1/top", self._top)
        return app

    def _page(self, write: Callable[[], bytes]) -> Callable[[web.Request], Any]:
        async def answer(request: web.Request) -> web.Response:
            text = write()
            headers = {"Content-Type": CONTENT_TYPE}
            if "gzip" in request.headers.get("Accept-Encoding", ""):
                text = await asyncio.to_thread(_gzip, text)
                headers["Content-Encoding"] = "gzip"
            return web.Response(body=text, headers=headers)

        return answer

    async def _healthz(self, _: web.Request) -> web.Response:
        return _json_verdict(*health(self._supervisor))

    async def _readyz(self, _: web.Request) -> web.Response:
        return _json_verdict(*readiness(self._observation, time.monotonic() - self._started_s))

    async def _debug_state(self, request: web.Request) -> web.Response:
        return _refuse_from_afar(request) or _json(200, state(self._observation, self._supervisor))

    async def _top(self, request: web.Request) -> web.Response:
        refused = _refuse_from_afar(request)
        if refused is not None:
            return refused
        text = request.query.get("window", "0")
        try:
            window_s = float(text)
        except ValueError:
            window_s = -1.0
        if not 0 <= window_s <= MAX_WINDOW_S:
            return _json(400, {"error": f"window {text!r}: expected seconds from 0 to {MAX_WINDOW_S:g}"})
        table = self._observation.table(window_s)
        if table is None:
            return _json(503, {"error": "no snapshot yet", **readiness(self._observation, 0.0)[1]})
        return _json(200, {"node": table[0], "rows": table[1]})


def is_local(own_address: str | bytes | tuple[str, *tuple[int, ...]] | None) -> bool:
    """Whether a connection came in on loopback or on a unix socket, whose mode decides who gets here."""
    if isinstance(own_address, tuple):
        return ipaddress.ip_address(own_address[0].partition("%")[0]).is_loopback
    return own_address is not None


def _refuse_from_afar(request: web.Request) -> web.Response | None:
    """403 for a connection that reached us through an address off loopback."""
    if request.transport is not None and is_local(request.transport.get_extra_info("sockname")):
        return None
    return _json(403, {"error": "state is served on loopback and on the agent's unix socket only"})


def _json_verdict(ok: bool, body: dict[str, Any]) -> web.Response:
    return _json(200 if ok else 503, body)


def _json(status: int, body: object) -> web.Response:
    return web.Response(
        status=status, body=orjson.dumps(body, option=orjson.OPT_NON_STR_KEYS), content_type="application/json"
    )


def _gzip(text: bytes) -> bytes:
    compressor = zlib.compressobj(1, zlib.DEFLATED, _GZIP)
    return compressor.compress(text) + compressor.flush()


def _private_socket(path: Path) -> socket.socket:
    """A listening unix socket of mode 0600; takes the place of one that a dead agent left."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
    if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
        path.unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(os.fspath(path))
    except OSError:
        listener.close()
        raise
    finally:
        os.umask(before)
    return listener

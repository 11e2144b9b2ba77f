"""An API server that answers as a test tells it, for what a real one does too rarely to wait for."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import orjson
import yaml
from aiohttp import web

from koord.api.base import View
from koord.api.resource import Resource
from koord.kube.credentials import Kubeconfig

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]
HEADERS = {"Content-Type": "application/json"}


class Meta(View, kw_only=True):
    name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""


class Thing(View, kw_only=True):
    """A kind of which only this is read."""

    RESOURCE: ClassVar[Resource] = Resource("test.koordinator.sh", "v1", "Thing", "things", namespaced=True)

    metadata: Meta = Meta()
    size: int = 0


PATH = Thing.RESOURCE.path()


def thing(name: str, version: int, *, size: Any = 0, uid: str = "", namespace: str = "ns") -> dict[str, Any]:
    """A Thing as JSON."""
    metadata = {"name": name, "namespace": namespace, "uid": uid or f"uid-{name}", "resourceVersion": str(version)}
    return {"apiVersion": "test.koordinator.sh/v1", "kind": "Thing", "metadata": metadata, "size": size}


def event(kind: str, document: dict[str, Any]) -> bytes:
    """A line of a watch."""
    return orjson.dumps({"type": kind, "object": document}) + b"\n"


def bookmark(version: int) -> bytes:
    """A line that only tells how far the stream is."""
    return event("BOOKMARK", {"kind": "Thing", "metadata": {"resourceVersion": str(version)}})


def status(code: int, reason: str, message: str = "said no", **details: Any) -> dict[str, Any]:
    """A refusal."""
    return {"kind": "Status", "status": "Failure", "code": code, "reason": reason, "message": message} | details


def a_list(version: int, *things: dict[str, Any], token: str = "") -> Answer:
    """Answers with a page of things."""

    async def answer(_: web.Request) -> web.Response:
        metadata = {"resourceVersion": str(version)} | ({"continue": token} if token else {})
        body = orjson.dumps({"kind": "ThingList", "metadata": metadata, "items": list(things)})
        return web.Response(body=body, headers=HEADERS)

    return answer


def refusal(code: int, reason: str, headers: dict[str, str] | None = None, **details: Any) -> Answer:
    """Answers with a Status."""

    async def answer(_: web.Request) -> web.Response:
        body = orjson.dumps(status(code, reason, **details))
        return web.Response(status=code, body=body, headers=HEADERS | (headers or {}))

    return answer


def a_watch(*lines: bytes, then: str = "hold") -> Answer:
    """Answers with a stream of lines, which then is held open, closed in good order or cut off."""

    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers=HEADERS)
        response.enable_chunked_encoding()
        await response.prepare(request)
        for line in lines:
            await response.write(line)
        if then == "hold":
            await asyncio.sleep(60)
        elif then == "cut":
            assert request.transport is not None
            request.transport.abort()
        return response

    return answer


@dataclass
class ScriptedServer:
    """Takes the next answer for each list and each watch; the last watch is answered by silence."""

    lists: list[Answer] = field(default_factory=list)
    watches: list[Answer] = field(default_factory=list)
    others: list[Answer] = field(default_factory=list)
    requests: list[web.Request] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    port: int = 0

    def queries(self, *, watch: bool) -> list[dict[str, str]]:
        """The query parameters of the lists or watches so far."""
        found = [dict(request.query) for request in self.requests]
        return [query for query in found if ("watch" in query) == watch]

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(request)
        self.bodies.append(await request.read())
        if "watch" in request.query:
            answer = self.watches.pop(0) if self.watches else a_watch()
        elif request.method == "GET" and request.path == PATH and self.lists:
            answer = self.lists.pop(0)
        elif self.others:
            answer = self.others.pop(0)
        else:
            answer = refusal(404, "NotFound")
        return await answer(request)


@asynccontextmanager
async def serving(server: ScriptedServer, folder: Path) -> AsyncIterator[Kubeconfig]:
    """Run a scripted server; gives credentials for it."""
    application = web.Application(client_max_size=2**26)
    application.router.add_route("*", "/{path:.*}", server._handle)
    runner = web.AppRunner(application, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.port = runner.addresses[0][1]
    try:
        yield write_kubeconfig(folder / "kubeconfig", f"http://127.0.0.1:{server.port}", {"token": "secret"})
    finally:
        await runner.cleanup()


def write_kubeconfig(path: Path, server: str, user: dict[str, Any]) -> Kubeconfig:
    """Write a kubeconfig with one context."""
    path.write_text(
        yaml.safe_dump(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "current-context": "test",
                "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
                "clusters": [{"name": "test", "cluster": {"server": server}}],
                "users": [{"name": "test", "user": user}],
            }
        )
    )
    return Kubeconfig(str(path))

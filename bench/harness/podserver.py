"""A server that lists very many pods and nodes and then stays silent: `python -m bench.harness.podserver PODS NODES`.

It prints its port. Pages are made before it does, if there is room for them, so that listing measures the client.
"""

import asyncio
import sys
from functools import partial

from aiohttp import web

from bench.harness.pods import Template, node, templates

TEMPLATES = 250
MOST_KEPT = 20_000
HEADERS = {"Content-Type": "application/json"}
PAGE = 500


class Objects:
    """A collection, page by page."""

    def __init__(self, count: int, make: "partial[bytes]") -> None:
        self._count = count
        self._make = make
        self._kept = [self._page(start) for start in range(0, count, PAGE)] if count <= MOST_KEPT else []

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """A page, or a watch on which nothing happens."""
        if "watch" in request.query:
            response = web.StreamResponse(headers=HEADERS)
            await response.prepare(request)
            await asyncio.Event().wait()
            return response
        start = int(request.query.get("continue", "0"))
        body = self._kept[start // PAGE] if self._kept else self._page(start)
        return web.Response(body=body, headers=HEADERS)

    def _page(self, start: int) -> bytes:
        end = min(start + PAGE, self._count)
        token = b',"continue":"%d"' % end if end < self._count else b""
        items = b",".join(self._make(number) for number in range(start, end))
        return b'{"kind":"List","metadata":{"resourceVersion":"9"%s},"items":[%s]}' % (token, items)


async def _serve(pods: int, nodes: int) -> None:
    kinds = templates(TEMPLATES)
    application = web.Application()
    application.router.add_get("/api/v1/pods", Objects(pods, partial(_pod, kinds, nodes)).answer)
    application.router.add_get("/api/v1/nodes", Objects(nodes, partial(node)).answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


def _pod(kinds: list[Template], nodes: int, number: int) -> bytes:
    return kinds[number % len(kinds)].render(number, nodes)


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), int(sys.argv[2])))

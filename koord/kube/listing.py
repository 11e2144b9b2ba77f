"""Reading all objects of a kind, page by page."""

import asyncio
from dataclasses import dataclass
from typing import Generic

from koord.api.codec import decode
from koord.api.errors import ApiError as DataError
from koord.api.meta import RawList
from koord.kube.client import KubeClient
from koord.kube.errors import ExpiredError
from koord.kube.objects import BrokenObject, Selection, T, identity_of

PAGE_SIZE = 500
# Decoding this many objects takes about a millisecond; then others get their turn on the event loop.
YIELD_EVERY = 100
EVERYTHING = Selection()


@dataclass(frozen=True)
class Listing(Generic[T]):
    """All objects of one moment, those that could not be decoded, and the version from which to watch."""

    items: list[T]
    broken: list[BrokenObject]
    resource_version: str


async def list_all(
    client: KubeClient, kind: type[T], selection: Selection = EVERYTHING, *, page_size: int = PAGE_SIZE
) -> Listing[T]:
    """Read all selected objects in pages, decoding each on its own.

    A page token that expired on the way makes it start again with the whole list at once, which cannot expire.
    """
    try:
        return await _list(client, kind, selection, page_size)
    except ExpiredError:
        return await _list(client, kind, selection, 0)


async def _list(client: KubeClient, kind: type[T], selection: Selection, page_size: int) -> Listing[T]:
    path, query = kind.RESOURCE.path(selection.namespace), selection.query()
    items: list[T] = []
    broken: list[BrokenObject] = []
    if page_size:
        query["limit"] = str(page_size)
    while True:
        page = decode(RawList, await client.request("GET", path, query=query))
        for position, raw in enumerate(page.items):
            if position % YIELD_EVERY == YIELD_EVERY - 1:
                await asyncio.sleep(0)
            try:
                items.append(decode(kind, raw))
            except DataError as error:
                broken.append(BrokenObject(identity_of(raw), str(error)))
        if not page.metadata.continue_:
            return Listing(items, broken, page.metadata.resource_version)
        query["continue"] = page.metadata.continue_

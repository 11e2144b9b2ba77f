"""Keeping a copy of a kind current: list, watch, resume where the last stream ended, list anew when that is too old."""

import asyncio
import logging
import random
import time
from dataclasses import dataclass
from typing import Generic, Literal, Protocol

import msgspec

from koord.api.codec import decode
from koord.api.errors import ApiError as DataError
from koord.kube import metrics
from koord.kube.backoff import Backoff
from koord.kube.client import KubeClient
from koord.kube.errors import ApiError, ExpiredError, Status, StreamBrokenError, UnreachableError, error_of_status
from koord.kube.lines import MOST_LINE_BYTES, LineSplitter, LongLine
from koord.kube.listing import EVERYTHING, PAGE_SIZE, Listing, list_all
from koord.kube.objects import BrokenObject, Identity, Selection, T, identity_of

logger = logging.getLogger(__name__)

# A stream that ends sooner than this without an event is failing: without a pause it would be asked for in a loop.
SHORT_STREAM_S = 1.0
# Garbage at the same place as often as this is no accident of one connection: what it hides is found by a list.
MOST_BROKEN_STREAMS = 3


@dataclass(frozen=True)
class WatchOptions:
    """How a kind is watched.

    The server ends each stream after a random time between `shortest_s` and `longest_s`. It sends at least a bookmark a
    minute, so a stream that is silent for `silence_s` is dead, whatever TCP says.
    """

    selection: Selection = EVERYTHING
    page_size: int = PAGE_SIZE
    shortest_s: float = 300.0
    longest_s: float = 600.0
    silence_s: float = 90.0
    most_line_bytes: int = MOST_LINE_BYTES
    first_backoff_s: float = 0.8
    most_backoff_s: float = 30.0


class Sink(Protocol[T]):
    """Where a reflector delivers. Each call is one change of the truth, in its order, and each is made once."""

    async def replace(self, listing: Listing[T]) -> None:
        """The truth is now this list."""
        ...

    async def upsert(self, found: T) -> None:
        """An object was added or changed."""
        ...

    async def remove(self, identity: Identity, last: T | None) -> None:
        """An object was deleted; `last` is its final state where that can be read."""
        ...

    async def skip(self, broken: BrokenObject) -> None:
        """An object was added or changed, but cannot be decoded."""
        ...


class _Event(msgspec.Struct, frozen=True):
    """One line of a watch; an object's own type is looked at afterwards, so that a broken one spoils nothing else."""

    type: str
    object: msgspec.Raw


_EVENT = msgspec.json.Decoder(_Event)
_STATUS = msgspec.json.Decoder(Status)
_End = Literal["closed", "expired", "refused", "broken", "unreachable"]


class Reflector(Generic[T]):
    """Lists and watches one kind for ever, telling a sink what changed."""

    def __init__(self, client: KubeClient, kind: type[T], sink: Sink[T], options: WatchOptions) -> None:
        self._client = client
        self._kind = kind
        self._sink = sink
        self._options = options
        self._name = f"{kind.RESOURCE.plural}.{kind.RESOURCE.group}".rstrip(".")
        self._version = ""
        self._events = 0
        self._broken_streams = 0
        self._backoff = Backoff(options.first_backoff_s, options.most_backoff_s)

    async def run(self) -> None:
        """Keep the sink current until cancelled. Nothing that the server or the network does ends it."""
        cause = "start"
        while True:
            try:
                if not self._version:
                    await self._list(cause)
                await self._watch()
            except ExpiredError as error:
                self._version, cause = "", "expired"
                await self._pause("expired", error)
            except StreamBrokenError as error:
                self._broken_streams += 1
                if self._broken_streams >= MOST_BROKEN_STREAMS:
                    self._version, cause, self._broken_streams = "", "broken", 0
                await self._pause("broken", error)
            except UnreachableError as error:
                await self._pause("unreachable", error)
            except (ApiError, DataError) as error:
                if _from_the_future(error):
                    self._version, cause = "", "restored"
                await self._pause("refused", error)

    async def _pause(self, end: _End, error: Exception) -> None:
        """Wait before the next try: as long as the server asks, else by backoff; a stream that worked costs nothing."""
        metrics.STREAMS.labels(self._name, end).inc()
        if self._events:
            self._backoff.reset()
        wait = self._backoff.next()
        if isinstance(error, ApiError) and error.retry_after_s is not None:
            wait = max(wait, error.retry_after_s)
        logger.info("watching %s again in %.1f s: %s", self._name, wait, error)
        self._events = 0
        await asyncio.sleep(wait)

    async def _list(self, cause: str) -> None:
        metrics.LISTS.labels(self._name, cause).inc()
        listing = await list_all(self._client, self._kind, self._options.selection, page_size=self._options.page_size)
        await self._sink.replace(listing)
        self._version = listing.resource_version

    async def _watch(self) -> None:
        """One stream, until the server ends it in good order; errors say how it ended otherwise."""
        options, began = self._options, time.monotonic()
        query = options.selection.query() | {
            "watch": "true",
            "allowWatchBookmarks": "true",
            "resourceVersion": self._version,
            "timeoutSeconds": str(int(random.uniform(options.shortest_s, options.longest_s))),  # noqa: S311
        }
        splitter = LineSplitter(options.most_line_bytes)
        path = self._kind.RESOURCE.path(options.selection.namespace)
        async with self._client.stream(path, query, options.silence_s) as chunks:
            async for chunk in chunks:
                for line in splitter.feed(chunk):
                    await self._take(line)
        if not self._events and time.monotonic() - began < SHORT_STREAM_S:
            raise UnreachableError(f"watch {path}: closed at once")
        metrics.STREAMS.labels(self._name, "closed").inc()
        self._events = 0
        self._backoff.reset()

    async def _take(self, line: bytes) -> None:
        """Deliver one event, then remember its version: a cancelled delivery is repeated, never left out."""
        if isinstance(line, LongLine):
            await self._take_long(line)
            return
        try:
            event = _EVENT.decode(line)
        except msgspec.DecodeError as error:
            raise StreamBrokenError(f"watch {self._name}: {error}") from error
        if event.type == "ERROR":
            raise self._error(event.object)
        identity = identity_of(event.object)
        if event.type == "DELETED":
            await self._sink.remove(identity, await self._decode(event.object, identity))
        elif event.type in ("ADDED", "MODIFIED"):
            found = await self._decode(event.object, identity)
            if found is not None:
                await self._sink.upsert(found)
        elif event.type != "BOOKMARK":
            raise StreamBrokenError(f"watch {self._name}: event type {event.type!r}")
        self._progress(identity.resource_version)

    async def _take_long(self, line: LongLine) -> None:
        """An object beyond the bound is a broken one; its metadata comes early, so it can still be named."""
        identity = _identity_in(line)
        if line.startswith(b'{"type":"DELETED"'):
            await self._sink.remove(identity, None)
        else:
            await self._sink.skip(
                BrokenObject(identity, f"found a line of more than {self._options.most_line_bytes} bytes")
            )
        self._progress(identity.resource_version)

    def _progress(self, version: str) -> None:
        self._events += 1
        self._broken_streams = 0
        self._version = version or self._version

    async def _decode(self, document: msgspec.Raw, identity: Identity) -> T | None:
        try:
            return decode(self._kind, document)
        except DataError as error:
            await self._sink.skip(BrokenObject(identity, str(error)))
            return None

    def _error(self, document: msgspec.Raw) -> Exception:
        try:
            status = _STATUS.decode(document)
        except msgspec.DecodeError as error:
            return StreamBrokenError(f"watch {self._name}: ERROR event: {error}")
        return error_of_status(f"watch {self._name}", status)


def _from_the_future(error: Exception) -> bool:
    """Whether the server does not know the version yet, as after its store was restored from a backup."""
    return isinstance(error, ApiError) and any(cause.reason == "ResourceVersionTooLarge" for cause in error.causes)


def _identity_in(line: LongLine) -> Identity:
    """What the first fields of a cut line tell: the first `name`, `namespace`, `uid` and `resourceVersion` in it."""
    found: dict[str, str] = {}
    for field in ("name", "namespace", "uid", "resourceVersion"):
        _, mark, rest = line.partition(f'"{field}":"'.encode())
        value, end, _ = rest.partition(b'"')
        if mark and end:
            found[field] = value.decode(errors="replace")
    return msgspec.convert(found, Identity)

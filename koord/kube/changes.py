"""What handlers are told, and how each gets it in order at its own pace."""

import asyncio
import inspect
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from koord.kube import metrics

logger = logging.getLogger(__name__)

V = TypeVar("V")

# More than this waiting for one handler holds back the stream; the server buffers, then ends it, and it is resumed.
MOST_WAITING = 10_000
# Synchronous handlers give way to others after this many changes.
YIELD_EVERY = 100


@dataclass(frozen=True, slots=True)
class Change(Generic[V]):
    """One change of one object. `old` is None when it was added, `new` is None when it was deleted.

    A deletion's `old` is the final state where the server sent one, else the last known. `initial` marks the objects a
    handler starts from, `resync` a periodic reminder that nothing changed.
    """

    old: V | None
    new: V | None
    initial: bool = False
    resync: bool = False

    @property
    def subject(self) -> V:
        """The object as it is now, or was last."""
        found = self.new if self.new is not None else self.old
        assert found is not None
        return found

    @property
    def type(self) -> str:
        """`added`, `updated` or `deleted`."""
        if self.old is None:
            return "added"
        return "deleted" if self.new is None else "updated"


Handler = Callable[[Change[V]], Awaitable[None] | None]


class Registration(Generic[V]):
    """A handler with its queue of changes. An exception of the handler is logged and counted; the next change comes."""

    def __init__(self, handler: Handler[V], resource: str, name: str) -> None:
        self._handler = handler
        self._resource = resource
        self._name = name
        self._queue: deque[Change[V] | None] = deque()
        self._filled = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._synced = asyncio.Event()

    @property
    def synced(self) -> bool:
        """Whether the handler has processed its whole initial list."""
        return self._synced.is_set()

    async def wait_synced(self) -> None:
        """Wait until the handler has processed its whole initial list."""
        await self._synced.wait()

    async def room(self) -> None:
        """Wait until the handler has caught up enough to be given more."""
        await self._room.wait()

    def give(self, change: Change[V]) -> None:
        """Queue a change."""
        self._put(change)

    def end_of_initial_list(self) -> None:
        """Mark that what was given so far is what the handler starts from."""
        if not self.synced:
            self._put(None)

    async def run(self) -> None:
        """Feed the handler until cancelled."""
        while True:
            await self._filled.wait()
            for _ in range(min(YIELD_EVERY, len(self._queue))):
                await self._process(self._queue.popleft())
            if not self._queue:
                self._filled.clear()
            if len(self._queue) < MOST_WAITING:
                self._room.set()
            await asyncio.sleep(0)

    async def _process(self, change: Change[V] | None) -> None:
        if change is None:
            self._synced.set()
            return
        try:
            result = self._handler(change)
            if inspect.isawaitable(result):
                await result
        except Exception:  # whatever one handler of one object does, the others go on
            metrics.HANDLER_ERRORS.labels(self._resource, self._name).inc()
            logger.exception("handler %s of %s failed on a change", self._name, self._resource)

    def _put(self, item: Change[V] | None) -> None:
        self._queue.append(item)
        self._filled.set()
        if len(self._queue) >= MOST_WAITING:
            self._room.clear()

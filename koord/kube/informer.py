"""An informer: a current copy of a kind in an indexed store, and handlers that are told of each change once."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Generic

from koord.kube import metrics
from koord.kube.changes import Change, Handler, Registration
from koord.kube.client import KubeClient
from koord.kube.listing import YIELD_EVERY, Listing
from koord.kube.objects import BrokenObject, Identity, T, key_of
from koord.kube.reflector import Reflector, WatchOptions
from koord.kube.store import IndexFunction, Store

logger = logging.getLogger(__name__)

STANDARD = WatchOptions()


@dataclass
class BrokenObjects:
    """The objects that cannot be decoded now; each is named in the log once, however often it comes."""

    resource: str
    current: dict[str, BrokenObject] = field(default_factory=dict)
    seen: int = 0

    def add(self, broken: BrokenObject) -> None:
        """Count it, and name it unless it is known to be broken in this way."""
        self.seen += 1
        metrics.BROKEN.labels(self.resource).inc()
        known = self.current.get(broken.key)
        self.current[broken.key] = broken
        if known is None or known.error != broken.error:
            logger.warning("skipping broken %s %s: %s", self.resource, broken.key or "without a name", broken.error)

    def healed(self, key: str) -> None:
        """Forget an object that can be decoded now, or is gone."""
        if self.current.pop(key, None) is not None:
            logger.info("%s %s is no longer broken", self.resource, key)


class Informer(Generic[T]):
    """Watches one kind. `run` it in a task of its own; add handlers before or while it runs.

    A broken object is skipped while its last good version stays in the store. An object that was deleted and created
    anew under its name is told as a deletion and an addition, also when that happened unseen.
    """

    def __init__(
        self,
        client: KubeClient,
        kind: type[T],
        *,
        indexes: Mapping[str, IndexFunction[T]] | None = None,
        resync_s: float = 0.0,
        options: WatchOptions = STANDARD,
    ) -> None:
        self.kind = kind
        self.resource = kind.RESOURCE.plural
        self.store: Store[T] = Store(indexes)
        self.broken = BrokenObjects(self.resource)
        self._counters = {name: metrics.CHANGES.labels(self.resource, name) for name in ("added", "updated", "deleted")}
        self._gauge = metrics.OBJECTS.labels(self.resource)
        self._resync_s = resync_s
        self._reflector = Reflector(client, kind, self, options)
        self._registrations: list[Registration[T]] = []
        self._listed = asyncio.Event()
        self._tasks: asyncio.TaskGroup | None = None

    def add_handler(self, handler: Handler[T], name: str = "") -> Registration[T]:
        """Tell this handler of all changes from now on; the objects known already come first, as its initial list."""
        registration = Registration(handler, self.resource, name or getattr(handler, "__qualname__", "handler"))
        self._registrations.append(registration)
        for known in self.store.values():
            registration.give(Change(None, known, initial=True))
        if self._listed.is_set():
            registration.end_of_initial_list()
        if self._tasks is not None:
            self._tasks.create_task(registration.run())
        return registration

    @property
    def synced(self) -> bool:
        """Whether the store holds a whole list and every handler has processed its initial list."""
        return self._listed.is_set() and all(registration.synced for registration in self._registrations)

    async def wait_synced(self) -> None:
        """Wait until `synced`; bound it with `asyncio.timeout`."""
        await self._listed.wait()
        for registration in list(self._registrations):
            await registration.wait_synced()

    async def run(self) -> None:
        """Keep the store current and feed the handlers until cancelled; may be run again afterwards."""
        try:
            async with asyncio.TaskGroup() as tasks:
                self._tasks = tasks
                for registration in self._registrations:
                    tasks.create_task(registration.run())
                if self._resync_s > 0:
                    tasks.create_task(self._resync())
                await self._reflector.run()
        finally:
            self._tasks = None

    async def replace(self, listing: Listing[T]) -> None:
        """Make the store equal to a list, telling handlers the difference; part of `Sink`."""
        before = frozenset(self.broken.current)
        for broken in listing.broken:
            await self.skip(broken)
        present = {key_of(found.metadata): found for found in listing.items}
        kept = {broken.key for broken in listing.broken}
        for key in before - kept - present.keys():
            self.broken.healed(key)
        for key in [key for key in self.store if key not in present and key not in kept]:
            await self._forget(key, None)
        for position, (key, found) in enumerate(present.items()):
            await self._keep(key, found)
            if position % YIELD_EVERY == YIELD_EVERY - 1:
                await asyncio.sleep(0)
        if not self._listed.is_set():
            self._listed.set()
            for registration in self._registrations:
                registration.end_of_initial_list()

    async def upsert(self, found: T) -> None:
        """Take an added or changed object; part of `Sink`."""
        await self._keep(key_of(found.metadata), found)

    async def remove(self, identity: Identity, last: T | None) -> None:
        """Take a deletion; part of `Sink`."""
        key = key_of(identity)
        known = self.store.get(key)
        if known is not None and identity.uid in ("", known.metadata.uid):
            await self._forget(key, last)
        self.broken.healed(key)

    async def skip(self, broken: BrokenObject) -> None:
        """Take note of an object that cannot be decoded; part of `Sink`."""
        self.broken.add(broken)
        known = self.store.get(broken.key)
        if known is not None and broken.identity.uid not in ("", known.metadata.uid):
            await self._forget(broken.key, None)

    async def _keep(self, key: str, found: T) -> None:
        if self.broken.current:
            self.broken.healed(key)
        old = self.store.get(key)
        if old is not None and old.metadata.uid != found.metadata.uid:
            await self._forget(key, None)
            old = None
        if old is not None and old.metadata.resource_version == found.metadata.resource_version:
            return
        await self._room()
        self.store.put(key, found)
        self._tell(Change(old, found, initial=not self._listed.is_set()))

    async def _forget(self, key: str, last: T | None) -> None:
        await self._room()
        known = self.store.remove(key)
        if known is not None:
            self._tell(Change(last if last is not None else known, None))

    async def _room(self) -> None:
        for registration in self._registrations:
            await registration.room()

    def _tell(self, change: Change[T]) -> None:
        self._counters[change.type].inc()
        self._gauge.set(len(self.store))
        for registration in self._registrations:
            registration.give(change)

    async def _resync(self) -> None:
        while True:
            await asyncio.sleep(self._resync_s)
            await self.wait_synced()
            for position, found in enumerate(list(self.store.values())):
                if position % YIELD_EVERY == 0:
                    await self._room()
                    await asyncio.sleep(0)
                if self.store.get(key_of(found.metadata)) is found:
                    for registration in self._registrations:
                        registration.give(Change(found, found, resync=True))


async def wait_all_synced(informers: Iterable[Informer[Any]]) -> None:
    """Wait until every handler of every informer has processed its initial list; bound it with `asyncio.timeout`."""
    for informer in informers:
        await informer.wait_synced()


@asynccontextmanager
async def running(*informers: Informer[Any]) -> AsyncGenerator[None]:
    """Run informers for the length of a block, synced when it begins; they have stopped when it ends."""
    tasks = [asyncio.create_task(informer.run()) for informer in informers]
    synced = asyncio.create_task(wait_all_synced(informers))
    try:
        done, _ = await asyncio.wait([synced, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        yield
    finally:
        for task in (synced, *tasks):
            task.cancel()
        await asyncio.gather(synced, *tasks, return_exceptions=True)

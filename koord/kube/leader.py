"""Leader election on a Lease, renewed by a thread of its own so that a busy event loop does not lose it."""

import asyncio
import logging
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from koord.api.codec import decode_for_update
from koord.api.core.lease import Lease
from koord.kube import metrics
from koord.kube.client import KubeClient
from koord.kube.credentials import CredentialSource
from koord.kube.errors import ConflictError, KubeError, NotFoundError
from koord.kube.lease import LeaseSettings, Observation, may_take, new_lease, release, take

logger = logging.getLogger(__name__)

RELEASE_TIMEOUT_S = 1.0
RETRY_JITTER = 1.2


class LeaderElector:
    """One candidacy: it waits, leads, and ends when leadership is lost or given back.

    The thread has its own event loop and its own connections. Use it as an async context manager: leaving gives the
    lease back, within about a second.
    """

    def __init__(self, source: CredentialSource, settings: LeaseSettings, *, user_agent: str = "koord") -> None:
        self._source = source
        self._settings = settings
        self._user_agent = user_agent
        self._owner_loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._thread_loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._acquired = asyncio.Event()
        self._lost = asyncio.Event()
        self._leading = False
        self._renewed_at = 0.0
        self._lease: Lease | None = None
        self._seen = Observation()
        self._gauge = metrics.LEADER.labels(settings.name)

    async def __aenter__(self) -> "LeaderElector":
        self._owner_loop = asyncio.get_running_loop()
        started = asyncio.Event()
        self._thread = threading.Thread(
            target=self._run_thread, args=(started,), name=f"lease {self._settings.name}", daemon=True
        )
        self._thread.start()
        await started.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        thread, loop, stop = self._thread, self._thread_loop, self._stop
        assert thread is not None
        assert loop is not None
        assert stop is not None
        with suppress(RuntimeError):  # the candidacy may have ended by itself and closed its loop
            loop.call_soon_threadsafe(stop.set)
        await asyncio.to_thread(thread.join)

    @property
    def is_leader(self) -> bool:
        """Whether the lease is ours beyond doubt at this moment; safe to ask from any thread."""
        return self._leading and time.monotonic() - self._renewed_at < self._settings.renew_deadline_s

    async def acquired(self) -> None:
        """Wait until this process leads."""
        await self._acquired.wait()

    async def lost(self) -> None:
        """Wait until leadership is over; a component that leads then exits, and its successor starts afresh."""
        await self._lost.wait()

    def _run_thread(self, started: asyncio.Event) -> None:
        try:
            asyncio.run(self._campaign(started))
        finally:
            self._leading = False
            self._gauge.set(0)
            self._tell_owner(self._lost.set)

    async def _campaign(self, started: asyncio.Event) -> None:
        settings = self._settings
        self._thread_loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._tell_owner(started.set)
        client = KubeClient(self._source, user_agent=self._user_agent, request_timeout_s=settings.renew_deadline_s)
        async with client:
            while not self._stop.is_set() and await self._step(client):
                pause = settings.retry_s if self._leading else settings.retry_s * random.uniform(1, RETRY_JITTER)  # noqa: S311
                await _wait(self._stop, pause)
            if self.is_leader:
                await self._give_back(client)

    async def _step(self, client: KubeClient) -> bool:
        """Try once to take or renew; False when leadership is over."""
        settings, began = self._settings, time.monotonic()
        left = self._renewed_at + settings.renew_deadline_s - began if self._leading else settings.renew_deadline_s
        held = False
        try:
            async with asyncio.timeout(max(left, 0.0)):
                held = await self._take_or_renew(client)
        except (KubeError, TimeoutError) as error:
            logger.warning("lease %s/%s: %s", settings.namespace, settings.name, error or "no answer in time")
        if held:
            # The lease runs at least from when the request was sent.
            self._renewed_at = began
            if not self._leading:
                logger.info("%s leads by lease %s/%s", settings.identity, settings.namespace, settings.name)
                self._leading = True
                self._gauge.set(1)
                self._tell_owner(self._acquired.set)
            return True
        if self._leading and not (self._still_ours() and self.is_leader):
            logger.error("%s lost lease %s/%s", settings.identity, settings.namespace, settings.name)
            return False
        return True

    async def _take_or_renew(self, client: KubeClient) -> bool:
        settings, path = self._settings, Lease.RESOURCE.path(self._settings.namespace, self._settings.name)
        if self._leading and self._lease is not None and self._still_ours():
            # The holder knows the lease: one request instead of two, unless somebody else wrote it.
            try:
                return await self._write(client, self._lease)
            except ConflictError:
                pass
        try:
            self._lease = decode_for_update(Lease, await client.request("GET", path))
        except NotFoundError:
            try:
                self._lease = await client.create(new_lease(settings, _now()))
            except ConflictError:
                return False
            self._seen.see(self._lease.spec, time.monotonic())
            return True
        self._seen.see(self._lease.spec, time.monotonic())
        if not may_take(self._seen, settings.identity, time.monotonic()):
            return False
        try:
            return await self._write(client, self._lease)
        except ConflictError:
            return False

    async def _write(self, client: KubeClient, lease: Lease) -> bool:
        take(lease, self._settings, _now())
        self._lease = await client.update(lease)
        self._seen.see(self._lease.spec, time.monotonic())
        return True

    def _still_ours(self) -> bool:
        return self._seen.spec is None or self._seen.spec.holder_identity == self._settings.identity

    async def _give_back(self, client: KubeClient) -> None:
        assert self._lease is not None
        release(self._lease, _now())
        try:
            async with asyncio.timeout(RELEASE_TIMEOUT_S):
                await client.update(self._lease)
        except (KubeError, TimeoutError) as error:
            logger.warning("lease %s not given back: %s", self._settings.name, error or "no answer in time")

    def _tell_owner(self, action: Callable[[], None]) -> None:
        assert self._owner_loop is not None
        with suppress(RuntimeError):  # with the owner's loop closed, nobody is left to be told
            self._owner_loop.call_soon_threadsafe(action)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass


def _now() -> datetime:
    return datetime.now(UTC)

"""The event recorder: tells people in `kubectl describe` what a component did to an object, and never blocks it."""

import asyncio
import logging
import time
from datetime import UTC, datetime
from typing import Literal

from koord.api.core.event import Event, EventSource
from koord.api.meta import ObjectMeta, ObjectReference
from koord.kube import metrics
from koord.kube.client import KubeClient
from koord.kube.correlation import Correlator, Occurrence, Record
from koord.kube.errors import ApiError, KubeError, NotFoundError, UnreachableError
from koord.kube.patches import merge_patch

logger = logging.getLogger(__name__)

MOST_WAITING = 1000
MOST_MESSAGE_BYTES = 1024
TRIES = 3
RETRY_S = 1.0


class EventRecorder:
    """Queues events and writes them in order. `run` it in a task; what is queued when that ends is lost."""

    def __init__(self, client: KubeClient, component: str, host: str = "") -> None:
        self._client = client
        self._component = component
        self._host = host
        self._correlator = Correlator()
        self._queue: asyncio.Queue[tuple[Occurrence, datetime]] = asyncio.Queue(MOST_WAITING)

    def record(
        self,
        about: ObjectReference,
        severity: Literal["Normal", "Warning"],
        reason: str,
        message: str,
    ) -> None:
        """Report that something happened to an object; dropped and counted when a thousand are waiting."""
        cut = message.encode()[:MOST_MESSAGE_BYTES].decode(errors="ignore")
        try:
            self._queue.put_nowait((Occurrence(about, severity, reason, cut), datetime.now(UTC)))
        except asyncio.QueueFull:
            metrics.EVENTS_DROPPED.labels("queue full").inc()

    async def flush(self) -> None:
        """Wait until everything recorded so far is written or given up; `run` must be running."""
        await self._queue.join()

    async def run(self) -> None:
        """Write events until cancelled."""
        while True:
            happened, at = await self._queue.get()
            try:
                await self._write(happened, at)
            except KubeError as error:
                metrics.EVENTS_DROPPED.labels("refused").inc()
                logger.warning("event %s about %s not recorded: %s", happened.reason, happened.about.name, error)
            finally:
                self._queue.task_done()

    async def _write(self, happened: Occurrence, at: datetime) -> None:
        record = self._correlator.correlate(happened, _name(happened), time.monotonic())
        if record is None:
            metrics.EVENTS_DROPPED.labels("too many").inc()
            return
        for left in reversed(range(TRIES)):
            try:
                await self._store(happened, record, at)
            except KubeError as error:
                passing = isinstance(error, UnreachableError) or (isinstance(error, ApiError) and error.code >= 500)
                if left == 0 or not passing:
                    raise
                await asyncio.sleep(RETRY_S)
            else:
                return

    async def _store(self, happened: Occurrence, record: Record, at: datetime) -> None:
        if record.count > 1:
            try:
                await self._count_up(happened, record, at)
            except NotFoundError:
                record = self._correlator.renamed(happened, record, _name(happened))
            else:
                return
        await self._client.create(self._event(happened, record, at))

    async def _count_up(self, happened: Occurrence, record: Record, at: datetime) -> None:
        changed = {"count": record.count, "message": record.message, "lastTimestamp": f"{at:%Y-%m-%dT%H:%M:%SZ}"}
        await self._client.patch(Event, record.name, merge_patch(changed), _namespace(happened))

    def _event(self, happened: Occurrence, record: Record, at: datetime) -> Event:
        return Event(
            metadata=ObjectMeta(name=record.name, namespace=_namespace(happened)),
            involved_object=happened.about,
            reason=happened.reason,
            message=record.message,
            source=EventSource(component=self._component, host=self._host),
            first_timestamp=at,
            last_timestamp=at,
            count=1,
            type=happened.type,
            reporting_component=self._component,
            reporting_instance=self._host,
        )


def _namespace(happened: Occurrence) -> str:
    """Events about objects without a namespace live in `default`, where kubectl looks for them."""
    return happened.about.namespace or "default"


def _name(happened: Occurrence) -> str:
    return f"{happened.about.name}.{time.time_ns():x}"

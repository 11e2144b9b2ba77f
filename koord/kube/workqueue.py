"""A work queue of keys: level-triggered, without duplicates, with a growing delay for each key that fails.

A key stands for "look at this object again", so adding it twice before it is taken is one look. A key that is added
while it is worked on is taken again afterwards; no key is ever worked on twice at the same time.
"""

import asyncio
import heapq
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count

from koord.kube import metrics
from koord.kube.errors import KubeError

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RateLimits:
    """How often failing keys come back; the defaults are those of Kubernetes' controllers.

    Each key waits `first_s`, doubled per failure up to `most_s`; all keys together come back at most `per_second` times
    a second after a burst.
    """

    first_s: float = 0.005
    most_s: float = 1000.0
    per_second: float = 10.0
    burst: int = 100


STANDARD_LIMITS = RateLimits()


class WorkQueue:
    """Keys waiting for workers, of one event loop."""

    def __init__(
        self, name: str, limits: RateLimits = STANDARD_LIMITS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._name = name
        self._limits = limits
        self._clock = clock
        self._ready: deque[str] = deque()
        self._dirty: set[str] = set()
        self._working: set[str] = set()
        self._failures: dict[str, int] = {}
        self._delayed: list[tuple[float, int, str]] = []
        self._due: dict[str, float] = {}
        self._order = count()
        self._timer: asyncio.TimerHandle | None = None
        self._next_token_at = 0.0
        self._wakeups: deque[asyncio.Future[None]] = deque()
        self._closed = False

    def __len__(self) -> int:
        """Keys that are ready now, those being worked on and those delayed left out."""
        return len(self._ready)

    def add(self, key: str) -> None:
        """Have a key looked at as soon as a worker is free."""
        if self._closed or key in self._dirty:
            return
        metrics.QUEUE_ADDS.labels(self._name).inc()
        self._dirty.add(key)
        if key not in self._working:
            self._make_ready(key)

    def add_after(self, key: str, delay_s: float) -> None:
        """Have a key looked at after a delay; of several pending delays of a key the shortest counts."""
        if self._closed:
            return
        if delay_s <= 0:
            self.add(key)
            return
        due = self._clock() + delay_s
        if due < self._due.get(key, float("inf")):
            self._due[key] = due
            heapq.heappush(self._delayed, (due, next(self._order), key))
            self._set_timer()

    def add_rate_limited(self, key: str) -> None:
        """Have a key that failed looked at again after its own delay and when the whole queue's rate allows."""
        metrics.QUEUE_RETRIES.labels(self._name).inc()
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        own = min(self._limits.first_s * 2.0 ** min(failures, 60), self._limits.most_s)
        self.add_after(key, max(own, self._bucket_delay()))

    def failures(self, key: str) -> int:
        """How often the key failed since it was last forgotten."""
        return self._failures.get(key, 0)

    def forget(self, key: str) -> None:
        """The key succeeded: its next failure waits the first delay again."""
        self._failures.pop(key, None)

    async def get(self) -> str | None:
        """Wait for a key and take it; call `done` afterwards. None once the queue is closed and empty."""
        while not self._ready:
            if self._closed:
                return None
            wakeup = asyncio.get_running_loop().create_future()
            self._wakeups.append(wakeup)
            try:
                await wakeup
            except asyncio.CancelledError:
                # The wake-up may have come in the same moment: it is for another worker then.
                if wakeup.done() and not wakeup.cancelled():
                    self._wake_one()
                raise
            finally:
                if wakeup in self._wakeups:
                    self._wakeups.remove(wakeup)
        key = self._ready.popleft()
        metrics.QUEUE_DEPTH.labels(self._name).set(len(self._ready))
        self._dirty.discard(key)
        self._working.add(key)
        return key

    def done(self, key: str) -> None:
        """The worker is through with the key; it is taken again if it was added meanwhile."""
        self._working.discard(key)
        if key in self._dirty:
            self._make_ready(key)

    def close(self) -> None:
        """Take no more keys; workers finish what is ready and then get None. Delayed keys are dropped."""
        self._closed = True
        self._delayed.clear()
        self._due.clear()
        if self._timer is not None:
            self._timer.cancel()
        for wakeup in self._wakeups:
            if not wakeup.done():
                wakeup.set_result(None)

    async def work(self, reconcile: Callable[[str], Awaitable[float | None]], workers: int = 1) -> None:
        """Pass keys to `reconcile`, up to `workers` at a time, until the queue is closed or this is cancelled.

        A number it returns asks for another look after as many seconds; an exception has the key tried again by rate.
        """
        async with asyncio.TaskGroup() as group:
            for _ in range(workers):
                group.create_task(self._worker(reconcile))

    async def _worker(self, reconcile: Callable[[str], Awaitable[float | None]]) -> None:
        while (key := await self.get()) is not None:
            try:
                again_s = await reconcile(key)
            except Exception as error:  # one object's failure is retried and never stops the others
                logger.warning("%s: %s failed, trying again: %s", self._name, key, error, exc_info=_unexpected(error))
                self.add_rate_limited(key)
            else:
                self.forget(key)
                if again_s is not None:
                    self.add_after(key, again_s)
            finally:
                self.done(key)

    def _make_ready(self, key: str) -> None:
        self._ready.append(key)
        metrics.QUEUE_DEPTH.labels(self._name).set(len(self._ready))
        self._wake_one()

    def _wake_one(self) -> None:
        while self._wakeups:
            wakeup = self._wakeups.popleft()
            if not wakeup.done():
                wakeup.set_result(None)
                return

    def _bucket_delay(self) -> float:
        """Seconds until the queue's token bucket has a token for one more retry, which is taken."""
        now = self._clock()
        spacing = 1.0 / self._limits.per_second
        earliest = now - self._limits.burst * spacing
        self._next_token_at = max(self._next_token_at, earliest) + spacing
        return max(0.0, self._next_token_at - now)

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._delayed:
            wait = max(0.0, self._delayed[0][0] - self._clock())
            self._timer = asyncio.get_running_loop().call_later(wait, self._release_due)

    def _release_due(self) -> None:
        now = self._clock()
        while self._delayed and self._delayed[0][0] <= now:
            due, _, key = heapq.heappop(self._delayed)
            if self._due.get(key) == due:
                del self._due[key]
                self.add(key)
        self._set_timer()


def _unexpected(error: Exception) -> bool:
    """Whether the traceback tells more than the message: not for the answers of a server."""
    return not isinstance(error, KubeError)

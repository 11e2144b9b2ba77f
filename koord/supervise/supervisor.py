"""Keeps the parts of a daemon running, each on its own, and says how they are."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Literal

from koord.log import Logger
from koord.supervise.backoff import Backoff

log = Logger(__name__)

State = Literal["starting", "running", "waiting", "ended"]


@dataclass(slots=True)
class PartStatus:
    """How one part is; `waiting` means that it failed and will be started again."""

    state: State = "starting"
    restarts: int = 0
    failures_in_a_row: int = 0
    last_error: str = ""

    @property
    def healthy(self) -> bool:
        """Whether the part does its work at this moment."""
        return self.state in ("starting", "running")


class Supervisor:
    """Runs named coroutines until told to stop; one that raises is started again with backoff, the others go on."""

    def __init__(self, backoff: Backoff | None = None) -> None:
        self._backoff = backoff or Backoff()
        self._status: dict[str, PartStatus] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.errors_by_kind: dict[str, int] = {}

    @property
    def status(self) -> dict[str, PartStatus]:
        """The parts by name."""
        return self._status

    def healthy(self) -> bool:
        """Whether every part does its work."""
        return all(part.healthy for part in self._status.values())

    def start(self, name: str, run: Callable[[], Coroutine[None, None, None]]) -> None:
        """Run a part from now on. A part that returns has ended for good."""
        if name in self._status:
            raise ValueError(f"part {name!r} is already supervised")
        self._status[name] = PartStatus()
        self._tasks.append(asyncio.create_task(self._keep(name, run), name=name))

    async def stop(self) -> None:
        """Cancel every part, the last started first, and wait for each to end."""
        for task in reversed(self._tasks):
            task.cancel()
            await asyncio.wait([task])
        self._tasks.clear()

    async def _keep(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        status = self._status[name]
        while True:
            status.state = "running"
            started_s = time.monotonic()
            try:
                await run()
            except asyncio.CancelledError:
                status.state = "ended"
                raise
            except Exception as error:
                self._record(name, status, error, time.monotonic() - started_s)
            else:
                status.state = "ended"
                return
            await asyncio.sleep(self._backoff.wait_s(status.failures_in_a_row, random.random()))  # noqa: S311 - spreads retries
            status.restarts += 1

    def _record(self, name: str, status: PartStatus, error: Exception, ran_s: float) -> None:
        kind = type(error).__name__
        status.state = "waiting"
        status.last_error = f"{kind}: {error}"
        status.failures_in_a_row = self._backoff.failures_in_a_row(status.failures_in_a_row, ran_s)
        self.errors_by_kind[kind] = self.errors_by_kind.get(kind, 0) + 1
        log.error(
            "part failed, will be started again", name, error=status.last_error, failures=status.failures_in_a_row
        )

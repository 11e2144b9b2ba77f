"""How each collector is: a failing one degrades itself only."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from koord.log import Logger

log = Logger(__name__)


@dataclass(slots=True)
class CollectorStatus:
    """One collector; ready after its first round that worked, and for as long as the newest one did."""

    name: str
    ready: bool = False
    rounds: int = 0
    failures: int = 0
    last_error: str = ""
    last_success_s: float | None = None
    """Monotonic time of the newest round that worked."""


class Collectors:
    """The status of every collector by name."""

    def __init__(self) -> None:
        self.status: dict[str, CollectorStatus] = {}
        self.errors_by_kind: dict[str, int] = {}

    def declare(self, *names: str) -> None:
        """Name the collectors that are enabled; each is unready until its first round."""
        for name in names:
            self.status[name] = CollectorStatus(name)

    @contextmanager
    def round(self, name: str) -> Generator[None]:
        """One round of a collector: what it raises is recorded and ends here, so that the others go on."""
        status = self.status[name]
        try:
            yield
        except Exception as error:
            self._failed(status, error)
        else:
            status.rounds += 1
            status.ready = True
            status.last_error = ""
            status.last_success_s = time.monotonic()

    def ready(self) -> bool:
        """Whether every collector is."""
        return all(status.ready for status in self.status.values())

    def _failed(self, status: CollectorStatus, error: Exception) -> None:
        kind = type(error).__name__
        status.ready = False
        status.failures += 1
        status.last_error = f"{kind}: {error}"
        self.errors_by_kind[kind] = self.errors_by_kind.get(kind, 0) + 1
        log.warning("collector failed, its values are missing until it recovers", status.name, error=status.last_error)

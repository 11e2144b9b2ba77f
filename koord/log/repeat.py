"""The same message at most once a minute per object, with a count of what was held back."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal, NamedTuple

Level = Literal["debug", "info", "warning", "error"]

PERIOD_S = 60.0
MAX_TRACKED = 4096


class Key(NamedTuple):
    """What makes two events equal."""

    level: Level
    message: str
    subject: str


@dataclass(slots=True)
class _Seen:
    last_s: float
    held_back: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether to write this event, and how many equal ones were held back since the last one written."""

    write: bool
    repeated: int


class RepeatLimiter:
    """Remembers when each (message, object) was last written; bounded, the least recently written goes first."""

    def __init__(self, period_s: float = PERIOD_S, max_tracked: int = MAX_TRACKED) -> None:
        self._period_s = period_s
        self._max_tracked = max_tracked
        self._seen: OrderedDict[Key, _Seen] = OrderedDict()

    def check(self, key: Key, now_s: float) -> Verdict:
        """Decide on one event at monotonic time `now_s`."""
        seen = self._seen.get(key)
        if seen is not None and now_s - seen.last_s < self._period_s:
            seen.held_back += 1
            return Verdict(write=False, repeated=0)
        repeated = seen.held_back if seen is not None else 0
        self._seen[key] = _Seen(now_s)
        self._seen.move_to_end(key)
        return Verdict(write=True, repeated=repeated)

    def expire(self, now_s: float) -> list[tuple[Key, int]]:
        """Forget what is older than a period; returns the count of what was held back and never told, by key."""
        untold: list[tuple[Key, int]] = []
        while self._seen:
            key, seen = next(iter(self._seen.items()))
            if now_s - seen.last_s < self._period_s and len(self._seen) <= self._max_tracked:
                break
            del self._seen[key]
            if seen.held_back:
                untold.append((key, seen.held_back))
        return untold

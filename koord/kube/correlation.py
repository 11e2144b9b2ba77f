"""Which events become an object of their own, which a count on an earlier one, and which are too many: pure decisions.

As in Kubernetes' own recorder: equal events count up; more than `SIMILAR` different messages of one reason about one
object within `WINDOW_S` are combined; each object has a token bucket, so that one in a bad loop cannot fill the store.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from koord.api.meta import ObjectReference

SIMILAR = 10
WINDOW_S = 600.0
BURST = 25
REFILL_S = 300.0
MOST_REMEMBERED = 4096
COMBINED = "(combined from similar events): "

V = TypeVar("V")


@dataclass(frozen=True)
class Occurrence:
    """Something that happened to an object. `type` is Normal or Warning, `reason` one CamelCase word."""

    about: ObjectReference
    type: str
    reason: str
    message: str

    def key(self, *more: str) -> tuple[str, ...]:
        """What makes occurrences similar, and with the message equal."""
        about = self.about
        return (about.kind, about.namespace, about.name, about.uid, about.field_path, self.type, self.reason, *more)


@dataclass(frozen=True)
class Record:
    """What to write: the `count`-th time under this event name (1: a new object)."""

    name: str
    count: int
    message: str


class _Memory(Generic[V]):
    """The most recently used entries."""

    def __init__(self) -> None:
        self._entries: OrderedDict[tuple[str, ...], V] = OrderedDict()

    def get(self, key: tuple[str, ...]) -> V | None:
        found = self._entries.get(key)
        if found is not None:
            self._entries.move_to_end(key)
        return found

    def put(self, key: tuple[str, ...], value: V) -> V:
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > MOST_REMEMBERED:
            self._entries.popitem(last=False)
        return value


@dataclass
class _Messages:
    last_at: float
    different: set[str] = field(default_factory=set)


@dataclass
class _Bucket:
    tokens: float
    at: float


class Correlator:
    """Remembers what was reported lately. `now` is monotonic seconds; `name` is taken for a new event object."""

    def __init__(self) -> None:
        self._similar: _Memory[_Messages] = _Memory()
        self._written: _Memory[Record] = _Memory()
        self._buckets: _Memory[_Bucket] = _Memory()

    def correlate(self, happened: Occurrence, name: str, now: float) -> Record | None:
        """What to write about an occurrence; None when its object has reported too much."""
        message, key = happened.message, happened.key(happened.message)
        if self._is_one_of_many(happened, now):
            message, key = COMBINED + message, happened.key()
        if not self._has_token(happened.about, now):
            return None
        known = self._written.get(key)
        if known is None:
            return self._written.put(key, Record(name, 1, message))
        return self._written.put(key, Record(known.name, known.count + 1, message))

    def renamed(self, happened: Occurrence, record: Record, name: str) -> Record:
        """The event object is gone (they live an hour): count anew under another name."""
        key = happened.key() if record.message.startswith(COMBINED) else happened.key(happened.message)
        return self._written.put(key, Record(name, 1, record.message))

    def _is_one_of_many(self, happened: Occurrence, now: float) -> bool:
        messages = self._similar.get(happened.key())
        if messages is None or now - messages.last_at > WINDOW_S:
            messages = self._similar.put(happened.key(), _Messages(now))
        messages.last_at = now
        if len(messages.different) < SIMILAR or happened.message in messages.different:
            messages.different.add(happened.message)
            return False
        return True

    def _has_token(self, about: ObjectReference, now: float) -> bool:
        key = (about.kind, about.namespace, about.name, about.uid)
        bucket = self._buckets.get(key) or self._buckets.put(key, _Bucket(BURST, now))
        bucket.tokens = min(BURST, bucket.tokens + (now - bucket.at) / REFILL_S)
        bucket.at = now
        if bucket.tokens < 1:
            return False
        bucket.tokens -= 1
        return True

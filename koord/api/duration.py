"""Go durations (`24h0m0s`, `1.5s`) of metav1.Duration fields, read and written as Go's time package does."""

import re
from typing import Final, Self

from koord.api.errors import DurationError

NANOSECOND: Final = 1
MICROSECOND: Final = 1_000 * NANOSECOND
MILLISECOND: Final = 1_000 * MICROSECOND
SECOND: Final = 1_000 * MILLISECOND
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE

_UNITS: Final = {
    "ns": NANOSECOND,
    "us": MICROSECOND,
    "\u00b5s": MICROSECOND,  # micro sign
    "\u03bcs": MICROSECOND,  # Greek mu
    "ms": MILLISECOND,
    "s": SECOND,
    "m": MINUTE,
    "h": HOUR,
}
_PART = re.compile(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]+)")
_LIMIT = 2**63


class Duration:
    """A span of time in whole nanoseconds within int64, immutable; ordered and hashable by its length."""

    __slots__ = ("nanoseconds",)

    nanoseconds: int

    def __init__(self, nanoseconds: int = 0) -> None:
        if not -_LIMIT <= nanoseconds < _LIMIT:
            raise DurationError(f"duration of {nanoseconds} ns is outside int64")
        self.nanoseconds = nanoseconds

    @classmethod
    def of(cls, *, hours: int = 0, minutes: int = 0, seconds: int = 0) -> Self:
        """Build a duration from whole hours, minutes and seconds."""
        return cls(hours * HOUR + minutes * MINUTE + seconds * SECOND)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what time.ParseDuration reads: a sign, then numbers each with a unit of ns, us, ms, s, m or h.

        Raises DurationError for anything else, an empty text included.
        """
        negative = text.startswith("-")
        rest = text[1:] if text[:1] in ("-", "+") else text
        if rest == "0":
            return cls(0)
        if not rest:
            raise DurationError(f'"{text}" is no duration')
        total = position = 0
        while position < len(rest):
            part = _PART.match(rest, position)
            if part is None or not (part[1] or part[2]) or part[3] not in _UNITS:
                raise DurationError(f'"{text}" is no duration: allowed numbers with a unit of ns, us, ms, s, m, h')
            unit = _UNITS[part[3]]
            total += int(part[1] or 0) * unit
            if part[2]:
                total += int(part[2]) * unit // 10 ** len(part[2])
            position = part.end()
        if total > _LIMIT or (total == _LIMIT and not negative):
            raise DurationError(f'"{text}" is too long for a duration (int64 nanoseconds)')
        return cls(-total if negative else total)

    @property
    def seconds(self) -> float:
        """The length in seconds."""
        return self.nanoseconds / SECOND

    def __str__(self) -> str:
        """Write Go's canonical form: `24h0m0s`, `1.5s`, `100ms`, `0s`."""
        size = abs(self.nanoseconds)
        sign = "-" if self.nanoseconds < 0 else ""
        if size == 0:
            return "0s"
        if size < SECOND:
            unit, name = next((unit, name) for name, unit in _SMALL if size >= unit)
            return f"{sign}{_decimal(size, unit)}{name}"
        minutes, remainder = divmod(size, MINUTE)
        text = f"{_decimal(remainder, SECOND)}s"
        if minutes:
            hours, minutes = divmod(minutes, 60)
            text = f"{minutes}m{text}"
            if hours:
                text = f"{hours}h{text}"
        return sign + text

    def __repr__(self) -> str:
        return f"Duration({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Duration) and self.nanoseconds == other.nanoseconds

    def __lt__(self, other: "Duration") -> bool:
        return self.nanoseconds < other.nanoseconds

    def __le__(self, other: "Duration") -> bool:
        return self.nanoseconds <= other.nanoseconds

    def __hash__(self) -> int:
        return hash(self.nanoseconds)

    def __bool__(self) -> bool:
        return self.nanoseconds != 0


_SMALL: Final = (("ms", MILLISECOND), ("\u00b5s", MICROSECOND), ("ns", NANOSECOND))


def _decimal(value: int, unit: int) -> str:
    """Divide by a power of ten (or 60 s parts of seconds) without losing digits: 1500, 1000 -> 1.5."""
    whole, fraction = divmod(value, unit)
    digits = str(fraction).rjust(len(str(unit)) - 1, "0").rstrip("0") if fraction else ""
    return f"{whole}.{digits}" if digits else str(whole)

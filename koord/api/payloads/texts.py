"""The forms of labels and annotations that are no JSON."""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, TypeVar

from koord.api.duration import Duration
from koord.api.errors import DurationError, QuantityError
from koord.api.gojson import Mismatch
from koord.api.gotext import parse_bool, parse_float, parse_int
from koord.api.payloads.payload import Codec
from koord.api.quantity import Quantity

E = TypeVar("E", bound=StrEnum)

TEXT: Final[Codec[str]] = Codec(str, str)
"""Any text."""


def integer(bits: int = 64, low: int | None = None, high: int | None = None) -> Codec[int]:
    """A decimal integer of that width, within bounds if they are given."""
    least = -(1 << (bits - 1)) if low is None else low
    most = (1 << (bits - 1)) - 1 if high is None else high

    def parse(text: str) -> int:
        number = parse_int(text, bits)
        if number is None or not least <= number <= most:
            bounds = f" from {least} to {most}" if (low, high) != (None, None) else f" (int{bits})"
            raise Mismatch(text, f"a decimal integer{bounds}")
        return number

    return Codec(parse, str)


def number(allowed: str, accept: Callable[[float], bool], decimals: int | None = None) -> Codec[float]:
    """A decimal number for which `accept` holds; written with that many decimals."""

    def parse(text: str) -> float:
        value = parse_float(text)
        if value is None or not accept(value):
            raise Mismatch(text, allowed)
        return value

    return Codec(parse, repr if decimals is None else lambda value: f"{value:.{decimals}f}")


def _parse_bool(text: str) -> bool:
    value = parse_bool(text)
    if value is None:
        raise Mismatch(text, "true or false")
    return value


BOOLEAN: Final[Codec[bool]] = Codec(_parse_bool, lambda value: "true" if value else "false")
"""A boolean as strconv.ParseBool reads it."""


def _flag_writer(value: bool) -> str:
    return "true" if value else "false"


FLAG: Final[Codec[bool]] = Codec(lambda text: text == "true", _flag_writer)
"""On only for the text `true`; every other text is off."""

FLAG_UNLESS_FALSE: Final[Codec[bool]] = Codec(lambda text: text != "false", _flag_writer)
"""Off only for the text `false`; every other text is on."""

PRESENCE: Final[Codec[bool]] = Codec(lambda _text: True, lambda _value: "true")
"""On wherever the key is, whatever it says."""


def one_of(kind: type[E], *, empty: bool = False) -> Codec[E]:
    """One of the members of an enumeration; `empty` admits the empty text where the enumeration has it."""
    names = [member.value for member in kind if member.value or empty]

    def parse(text: str) -> E:
        if text not in names:
            raise Mismatch(text, " or ".join(name or '""' for name in names))
        return kind(text)

    return Codec(parse, str)


def _parse_quantity(text: str) -> Quantity:
    try:
        return Quantity.parse(text)
    except QuantityError:
        raise Mismatch(text, 'a quantity such as "10G"') from None


QUANTITY: Final[Codec[Quantity]] = Codec(_parse_quantity, str)


def _parse_duration(text: str) -> Duration:
    try:
        return Duration.parse(text)
    except DurationError:
        raise Mismatch(text, 'a duration such as "5m0s"') from None


DURATION: Final[Codec[Duration]] = Codec(_parse_duration, str)


_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)", re.ASCII)


def _parse_time(text: str) -> datetime:
    match = _TIME.fullmatch(text)
    try:
        if match:
            fraction = (match[2] or "0")[:6].ljust(6, "0")
            return datetime.fromisoformat(f"{match[1]}.{fraction}{match[3]}").astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise Mismatch(text, 'a time such as "2026-01-02T15:04:05.123Z"')


def _write_time(value: datetime) -> str:
    text = value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
    fraction = f".{value.microsecond:06}".rstrip("0") if value.microsecond else ""
    return f"{text}{fraction}Z"


TIME_NANO: Final[Codec[datetime]] = Codec(_parse_time, _write_time)
"""Go's RFC3339Nano; digits below a microsecond are cut off."""


def comma_list(texts: Iterable[str]) -> str:
    """Write texts as a comma list."""
    return ",".join(texts)


COMMA_LIST: Final[Codec[tuple[str, ...]]] = Codec(lambda text: tuple(text.split(",")) if text else (), comma_list)
"""Texts separated by commas; the empty text is no item."""

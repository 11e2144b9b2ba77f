"""Decoders of the JSON values that are not containers."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from koord.api.duration import Duration
from koord.api.errors import DurationError, QuantityError
from koord.api.gojson.mismatch import Mismatch
from koord.api.quantity import Quantity
from koord.api.typeinfo import Shape

Decode = Callable[[object], Any]
"""Turns a JSON value other than null into a value of the type; raises Mismatch."""


def decode_any(value: object) -> object:
    """Accept every value as it is."""
    return value


def decode_boolean(value: object) -> bool:
    """Accept true and false."""
    if not isinstance(value, bool):
        raise Mismatch(value, "true or false")
    return value


def decode_string(value: object) -> str:
    """Accept a string."""
    if not isinstance(value, str):
        raise Mismatch(value, "a string")
    return value


def decode_int64(value: object) -> int:
    """Accept a whole number within int64, written without fraction or exponent."""
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise Mismatch(value, "an integer (int64)")
    return value


def decode_int32(value: object) -> int:
    """Accept a whole number within int32, written without fraction or exponent."""
    if type(value) is not int or not -(2**31) <= value < 2**31:
        raise Mismatch(value, "an integer (int32)")
    return value


def decode_int_or_string(value: object) -> int | str:
    """Accept intstr.IntOrString: a string, or a number within int32."""
    return value if isinstance(value, str) else decode_int32(value)


def decode_float(value: object) -> float:
    """Accept a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Mismatch(value, "a number")
    return float(value)


def decode_quantity(value: object) -> Quantity:
    """Accept a resource quantity: a string or a number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Mismatch(value, "a quantity (string or number)")
    try:
        return Quantity.from_json(value)
    except QuantityError:
        raise Mismatch(value, 'a quantity such as "500m", "2" or "1Gi"') from None


def decode_duration(value: object) -> Duration:
    """Accept a Go duration."""
    try:
        return Duration.parse(decode_string(value))
    except (DurationError, Mismatch):
        raise Mismatch(value, 'a duration such as "5m0s"') from None


def decode_time(value: object) -> datetime:
    """Accept an RFC 3339 time; the result is in UTC."""
    allowed = 'a time such as "2026-01-02T15:04:05Z"'
    if not isinstance(value, str) or "T" not in value:
        raise Mismatch(value, allowed)
    try:
        time = datetime.fromisoformat(value)
        if time.tzinfo is None:
            raise Mismatch(value, allowed)
        return time.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Mismatch(value, allowed) from None


SCALARS: Final[dict[Shape, tuple[Decode, Callable[[], Any]]]] = {
    Shape.ANY: (decode_any, lambda: None),
    Shape.BOOLEAN: (decode_boolean, bool),
    Shape.STRING: (decode_string, str),
    Shape.INTEGER: (decode_int64, int),
    Shape.INT_OR_STRING: (decode_int_or_string, int),
    Shape.NUMBER: (decode_float, float),
    Shape.TIME: (decode_time, lambda: datetime(1, 1, 1, tzinfo=UTC)),
    Shape.QUANTITY: (decode_quantity, Quantity),
    Shape.DURATION: (decode_duration, Duration),
}
"""Per shape: how a value is read, and the zero value that null stands for."""

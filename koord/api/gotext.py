"""Numbers and booleans in labels and annotations, read as Go's strconv reads them; None for any other text."""

import re
from math import isfinite
from typing import Final

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,64}")
_FLOAT: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_TRUE: Final = frozenset(("1", "t", "T", "TRUE", "true", "True"))
_FALSE: Final = frozenset(("0", "f", "F", "FALSE", "false", "False"))


def parse_int(text: str, bits: int = 64) -> int | None:
    """ParseInt in base 10 for a signed integer of that width."""
    if not _INTEGER.fullmatch(text):
        return None
    number = int(text)
    limit = 1 << (bits - 1)
    return number if -limit <= number < limit else None


def parse_float(text: str) -> float | None:
    """ParseFloat for decimal numbers; infinities and NaN, which no key of ours can mean, are none."""
    if not _FLOAT.fullmatch(text):
        return None
    number = float(text)
    return number if isfinite(number) else None


def parse_bool(text: str) -> bool | None:
    """ParseBool."""
    return True if text in _TRUE else False if text in _FALSE else None

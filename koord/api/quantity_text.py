"""The text of a quantity: cut into its parts, suffixes read and written, numbers read the fast or the exact way."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from koord.api.errors import QuantityError
from koord.api.quantity_math import MOST_DIGITS, divide_away_from_zero, fits_int64, scale_up

_NANO: Final = -9
_FAST_DIGITS: Final = 18  # decimal digits that an int64 surely holds

_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_NAMES: Final = {exponent: name for name, exponent in _DECIMAL.items()}
_BINARY_NAMES: Final = {exponent // 10: name for name, exponent in _BINARY.items()}

_SHAPE = re.compile(r"([+-]?)(0*)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)", re.ASCII)
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]+)", re.ASCII)


class Parts(NamedTuple):
    """A quantity's text in parts; `zeros` are the leading zeros of the whole digits."""

    negative: bool
    zeros: str
    whole: str
    decimals: str
    suffix: str


class Suffix(NamedTuple):
    """What a suffix means: base^exponent, and the format (named as in apimachinery) that it selects."""

    base: int
    exponent: int
    format: str


@dataclass(frozen=True)
class FastNumber:
    """A number within int64; `canonical` when the text it came from may be written back as it was."""

    number: int
    exponent: int
    canonical: bool


def split(text: str) -> Parts:
    """Cut a text into sign, digits and suffix; raises QuantityError for what has another shape."""
    match = _SHAPE.fullmatch(text)
    if not text or match is None:
        raise QuantityError("allowed a decimal number with a suffix of n u m k M G T P E Ki Mi Gi Ti Pi Ei e<n> E<n>")
    sign, zeros, whole, decimals, suffix = match.groups()
    return Parts(sign == "-", zeros, whole, decimals or "", suffix)


def interpret(text: str) -> Suffix:
    """Look a suffix up; raises QuantityError for an unknown one."""
    if text in _DECIMAL:
        return Suffix(10, _DECIMAL[text], "DecimalSI")
    if text in _BINARY:
        return Suffix(2, _BINARY[text], "BinarySI")
    match = _EXPONENT.fullmatch(text)
    if match is None or not fits_int64(int(match[1])):
        raise QuantityError(f'unknown suffix "{text}"')
    return Suffix(10, (int(match[1]) + 2**31) % 2**32 - 2**31, "DecimalExponent")


def read_fast(parts: Parts, suffix: Suffix) -> FastNumber | None:
    """Read a number that surely fits int64 and needs no finer unit than nano; None for every other."""
    whole = parts.whole or "0"
    digits = whole + parts.decimals
    exponent, factor = suffix.exponent, 1
    room = _FAST_DIGITS - len(digits)
    if suffix.base == 2:
        if parts.decimals:
            return None
        exponent, factor = 0, 1 << suffix.exponent
        room = 15 - len(whole) - suffix.exponent * 3 // 10 - 1  # 2^10 takes three of the digits
    exponent -= len(parts.decimals)
    if room < 0 or exponent < _NANO:
        return None
    value = int(digits)
    number = value * factor
    if not fits_int64(number):
        return None
    if suffix.base == 2:
        canonical = value % 8 != 0
    else:
        canonical = exponent % 3 == 0 and not digits.endswith("000") and digits[0] != "0"
    return FastNumber(-number if parts.negative else number, exponent, canonical)


def read_big(parts: Parts, suffix: Suffix) -> tuple[int, int]:
    """Read any number exactly, then round away from zero to nano: the number and its power of ten.

    Raises QuantityError for a text without a digit and for numbers with more digits than any amount has.
    """
    digits = parts.zeros + parts.whole + parts.decimals
    if not digits:
        raise QuantityError("no digits")
    if len(digits) > MOST_DIGITS:
        raise QuantityError(f"a number of {len(digits)} digits, allowed {MOST_DIGITS}")
    number = int(digits)
    exponent = -len(parts.decimals)
    if suffix.base == 10:
        exponent += suffix.exponent
    else:
        number <<= suffix.exponent
    if number == 0:
        return 0, exponent
    shift = exponent - _NANO
    number = scale_up(number, shift) if shift >= 0 else divide_away_from_zero(number, -shift)
    return (-number if parts.negative else number), _NANO


def write_decimal(number: int, exponent: int) -> str:
    """Number with the suffix of 10^exponent; as in apimachinery, beyond nano and exa the suffix is lost."""
    return f"{number}{_DECIMAL_NAMES.get(exponent, '')}"


def write_binary(whole: int) -> str:
    """A whole amount with the largest binary suffix that divides it; beyond Ei the suffix is lost as above."""
    times = 0
    while whole % 1024 == 0:
        whole //= 1024
        times += 1
    return f"{whole}{_BINARY_NAMES.get(times, '')}"

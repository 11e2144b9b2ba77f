"""Kubernetes resource quantities, equal in every result to apimachinery's resource.Quantity (v0.35).

A quantity is exact: a whole number times a power of ten, never a float. Like apimachinery it keeps two forms, because
some results differ between them: the *fast* form, whose number fits int64, and the *big* form of any size, which is
what parsing falls back to for long texts and what additions overflow into. Quantities are immutable; arithmetic gives
new ones.
"""

from enum import Enum
from functools import lru_cache
from typing import Final, final

from koord.api import quantity_text
from koord.api.errors import QuantityError
from koord.api.quantity_math import (
    INT64_MAX,
    INT64_MIN,
    check_size,
    compare,
    divide_away_from_zero,
    fits_int64,
    go_power_of_ten,
    scale_up,
    shift_big,
    strip_factor,
    wrap_int64,
)

# The pattern that generated CRDs put on a quantity.
PATTERN: Final = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)

NANO: Final = -9
MILLI: Final = -3

_SINGLE_STEPS: Final = (1, 2, 3, 6, 9)


class Format(Enum):
    """How a quantity is written: `12M`, `12Mi` or `12e6`."""

    DECIMAL_SI = "DecimalSI"
    BINARY_SI = "BinarySI"
    DECIMAL_EXPONENT = "DecimalExponent"


@final
class Quantity:
    """A resource amount; `str()` is its canonical form, comparison and hash are by value."""

    __slots__ = ("_big", "_exponent", "_number", "_text", "format")

    _number: int
    _exponent: int
    _big: bool
    _text: str | None
    format: Format

    def __init__(
        self,
        number: int = 0,
        exponent: int = 0,
        format: Format = Format.DECIMAL_SI,  # noqa: A002 (the standard name)
        *,
        big: bool = False,
        text: str | None = None,
    ) -> None:
        """Make number x 10^exponent; a number outside int64 takes the big form."""
        self._number = number
        self._exponent = exponent
        self._big = big or not fits_int64(number)
        if self._big:
            check_size(number)
        self._text = text
        self.format = format

    @staticmethod
    def parse(text: str) -> "Quantity":
        """Read a quantity; raises QuantityError that quotes the text."""
        return _parse(text)

    @staticmethod
    def from_json(value: object) -> "Quantity":
        """Read a JSON value as Go does: a text, blanks around it trimmed, or a number."""
        if isinstance(value, str):
            return _read(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return _parse(repr(value))
        raise QuantityError(f"{value!r} is no quantity: allowed a text or a number")

    @classmethod
    def milli(cls, thousandths: int, format: Format = Format.DECIMAL_SI) -> "Quantity":  # noqa: A002
        """Make a quantity of thousandths, e.g. milli-cores."""
        return cls(thousandths, MILLI, format)

    @classmethod
    def bytes(cls, count: int) -> "Quantity":
        """Make a quantity of bytes, written with binary suffixes."""
        return cls(count, 0, Format.BINARY_SI)

    @property
    def is_zero(self) -> bool:
        """Whether the amount is zero."""
        return self._number == 0

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self._number > 0) - (self._number < 0)

    def value(self) -> int:
        """The amount in whole units, rounded up, as an int64 (see scaled_value on overflow)."""
        return self.scaled_value(0)

    def milli_value(self) -> int:
        """The amount in thousandths, rounded up, as an int64 (see scaled_value on overflow)."""
        return self.scaled_value(MILLI)

    def scaled_value(self, exponent: int) -> int:
        """The amount in units of 10^exponent, rounded up, as int64.

        Where that overflows, the result is apimachinery's: the big form wraps around, the fast form does so for the
        steps that are one multiplication there, and gives 0 for the others.
        """
        shift = self._exponent - exponent
        if self._big:
            return shift_big(self._number, shift)
        if shift < 0:
            return divide_away_from_zero(self._number, -shift)
        shifted = _shift_up(self._number, shift)
        if shifted is not None:
            return shifted
        single = shift in _SINGLE_STEPS and self._number != INT64_MIN
        return wrap_int64(self._number * 10**shift) if single else 0

    def as_int64(self) -> int | None:
        """The amount as an exact int64 if that is cheap to tell, else None."""
        if self._big or self._exponent < 0:
            return None
        return _shift_up(self._number, self._exponent)

    def as_float(self) -> float:
        """The amount as a float, which may lose digits; too large is infinite (AsApproximateFloat64)."""
        try:
            base = float(self._number)
        except OverflowError:
            base = float("inf") if self._number > 0 else float("-inf")
        return base if self._exponent == 0 else base * go_power_of_ten(self._exponent)

    def round_up(self, exponent: int) -> "tuple[Quantity, bool]":
        """Round away from zero to a multiple of 10^exponent; also says whether that was exact."""
        if self._exponent >= exponent and not self._big:
            return self, True
        if self._exponent >= exponent:
            number = scale_up(self._number, self._exponent - exponent)
            return Quantity(number, exponent, self.format, big=True), True
        number = divide_away_from_zero(self._number, exponent - self._exponent)
        rounded = Quantity(number, exponent, self.format, big=self._big)
        return rounded, rounded == self

    def __add__(self, other: "Quantity") -> "Quantity":
        """Add exactly; a zero takes the other's format."""
        form = other.format if self.is_zero else self.format
        if not (self._big or other._big):
            if other._number == 0:
                return Quantity(self._number, self._exponent, form)
            if self._number == 0:
                return Quantity(other._number, other._exponent, form)
            total = self._fast_sum(other._number, other._exponent)
            if total is not None:
                return Quantity(total, min(self._exponent, other._exponent), form)
        return self._big_sum(other._number, other._exponent, form)

    def __sub__(self, other: "Quantity") -> "Quantity":
        """Subtract exactly; a zero takes the other's format."""
        form = other.format if self.is_zero else self.format
        if not (self._big or other._big):
            if other._number == 0:
                return Quantity(self._number, self._exponent, form)
            negated = wrap_int64(-other._number)
            if self._number == 0:
                return Quantity(negated, other._exponent, form)
            total = self._fast_sum(negated, other._exponent)
            if total is not None:
                return Quantity(total, min(self._exponent, other._exponent), form)
        return self._big_sum(-other._number, other._exponent, form)

    def __mul__(self, factor: int) -> "Quantity":
        """Multiply by an int64 exactly."""
        if not self._big:
            if self._number == 0:
                return Quantity(0, self._exponent, self.format)
            if factor == 0:
                return Quantity(0, 0, self.format)
            product = self._number * factor
            if fits_int64(product) and self._is_int64(product):
                return Quantity(product, self._exponent, self.format)
        return Quantity(self._number * factor, self._exponent, self.format, big=True)

    def __neg__(self) -> "Quantity":
        return Quantity(
            -self._number if self._big else wrap_int64(-self._number), self._exponent, self.format, big=self._big
        )

    def _is_int64(self, number: int) -> bool:
        """Whether the number at this quantity's exponent is a whole int64."""
        if self._exponent >= 0:
            return _shift_up(number, self._exponent) is not None
        return divide_away_from_zero(number, -self._exponent) * 10**-self._exponent == number

    def _fast_sum(self, number: int, exponent: int) -> int | None:
        """The sum at the smaller exponent, None if a step leaves int64."""
        low = min(self._exponent, exponent)
        mine, theirs = _shift_up(self._number, self._exponent - low), _shift_up(number, exponent - low)
        if mine is None or theirs is None:
            return None
        total = mine + theirs
        return total if fits_int64(total) else None

    def _big_sum(self, number: int, exponent: int, form: Format) -> "Quantity":
        low = min(self._exponent, exponent)
        total = scale_up(self._number, self._exponent - low) + scale_up(number, exponent - low)
        return Quantity(total, low, form, big=True)

    def compare(self, other: "Quantity") -> int:
        """-1, 0 or 1 as this amount is smaller than, equal to or larger than the other."""
        return compare(self._number, self._exponent, other._number, other._exponent)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.compare(other) == 0

    def __lt__(self, other: "Quantity") -> bool:
        return self.compare(other) < 0

    def __le__(self, other: "Quantity") -> bool:
        return self.compare(other) <= 0

    def __gt__(self, other: "Quantity") -> bool:
        return self.compare(other) > 0

    def __ge__(self, other: "Quantity") -> bool:
        return self.compare(other) >= 0

    def __hash__(self) -> int:
        if self._number == 0:
            return 0
        number, times = strip_factor(self._number, 10)
        return hash((number, self._exponent + times))

    def __bool__(self) -> bool:
        return self._number != 0

    def __str__(self) -> str:
        """Write the canonical form; a text that was canonical (by apimachinery's rules) when parsed is kept."""
        if self._text is None:
            self._text = self._canonical()
        return self._text

    def __repr__(self) -> str:
        return f"Quantity({str(self)!r})"

    def _canonical(self) -> str:
        if self._number == 0:
            return "0"
        if self.format is Format.BINARY_SI:
            whole = self._whole_for_binary()
            if whole is not None:
                return quantity_text.write_binary(whole)
        number, exponent = strip_factor(self._number, 10)
        exponent += self._exponent
        number, exponent = number * 10 ** (exponent % 3), exponent - exponent % 3
        if self.format is Format.DECIMAL_EXPONENT:
            return f"{number}e{exponent}" if exponent else str(number)
        return quantity_text.write_decimal(number, exponent)

    def _whole_for_binary(self) -> int | None:
        """The whole amount if it may be written with binary suffixes: at least 1024 in size and without a fraction."""
        if compare(abs(self._number), self._exponent, 1024, 0) < 0:
            return None
        if self._exponent >= 0:
            return scale_up(self._number, self._exponent)
        whole, rest = divmod(self._number, 10**-self._exponent)
        return whole if rest == 0 else None


def _shift_up(number: int, exponent: int) -> int | None:
    """Number x 10^exponent, None if that leaves int64."""
    if number == 0:
        return 0
    if exponent > 18:  # 10^19 is outside int64
        return None
    shifted = number * 10**exponent
    return shifted if fits_int64(shifted) else None


@lru_cache(maxsize=1 << 14)
def _read(text: str) -> Quantity:
    """Shared by all objects that hold the same text: a cluster's pods repeat few amounts."""
    return _parse(text.strip())


def _parse(text: str) -> Quantity:
    if text == "0":
        return Quantity(text="0")
    try:
        parts = quantity_text.split(text)
        suffix = quantity_text.interpret(parts.suffix)
    except QuantityError as error:
        raise QuantityError(f'"{text}" is no quantity: {error}') from None
    fast = quantity_text.read_fast(parts, suffix)
    if fast is not None:
        kept = text if fast.canonical else None
        return Quantity(fast.number, fast.exponent, Format(suffix.format), text=kept)
    number, exponent = quantity_text.read_big(parts, suffix)
    form = Format(suffix.format)
    if form is Format.BINARY_SI:
        if compare(abs(number), exponent, INT64_MAX, 0) > 0:
            number, exponent = INT64_MAX if number > 0 else -INT64_MAX, 0
        elif number != 0 and compare(abs(number), exponent, 1, 0) < 0:
            form = Format.DECIMAL_SI
    return Quantity(number, exponent, form, big=True)

"""Integer arithmetic of quantities: int64 limits, rounding away from zero, exact comparison across exponents."""

from typing import Final

from koord.api.errors import QuantityError

INT64_MAX: Final = 2**63 - 1
INT64_MIN: Final = -(2**63)
_INT64_DIGITS: Final = 19

# Beyond this a quantity is an attack, not an amount (and CPython refuses to write the number).
MOST_DIGITS: Final = 4_000
_BITS_PER_DIGIT: Final = 3.3219280948873626  # log2(10)


def fits_int64(number: int) -> bool:
    """Whether the number is an int64."""
    return INT64_MIN <= number <= INT64_MAX


def wrap_int64(number: int) -> int:
    """The int64 that two's complement arithmetic keeps of the number."""
    return (number - INT64_MIN) % 2**64 + INT64_MIN


def divide_away_from_zero(number: int, exponent: int) -> int:
    """Number / 10^exponent, rounded away from zero; exponent >= 0."""
    size = abs(number)
    if exponent > size.bit_length():  # 10^exponent is larger for sure: don't build it
        return (number > 0) - (number < 0)
    quotient = -(-size // 10**exponent)
    return quotient if number >= 0 else -quotient


def scale_up(number: int, exponent: int) -> int:
    """Number x 10^exponent; raises QuantityError where that has more digits than any amount."""
    if number == 0:
        return 0
    check_size(number, exponent)
    return number * 10**exponent


def check_size(number: int, exponent: int = 0) -> None:
    """Refuse numbers that would fill the memory."""
    digits = exponent + number.bit_length() / _BITS_PER_DIGIT
    if digits > MOST_DIGITS:
        raise QuantityError(f"a number of {digits:.0f} digits, allowed {MOST_DIGITS}")


def strip_factor(number: int, factor: int) -> tuple[int, int]:
    """Divide by the factor as often as that is exact; the rest and how often. Zero stays zero."""
    times = 0
    while number != 0 and number % factor == 0:
        number //= factor
        times += 1
    return number, times


def compare(left: int, left_exponent: int, right: int, right_exponent: int) -> int:
    """-1, 0 or 1 for left x 10^left_exponent against right x 10^right_exponent, without building huge powers."""
    left_sign, right_sign = (left > 0) - (left < 0), (right > 0) - (right < 0)
    if left_sign != right_sign or left_sign == 0:
        return (left_sign > right_sign) - (left_sign < right_sign)
    # Numbers of the same sign: the digits before the decimal point decide unless they are equally many.
    left_length, right_length = len(str(abs(left))) + left_exponent, len(str(abs(right))) + right_exponent
    if left_length != right_length:
        return left_sign if left_length > right_length else -left_sign
    shift = left_exponent - right_exponent
    mine, theirs = (scale_up(left, shift), right) if shift >= 0 else (left, scale_up(right, -shift))
    return (mine > theirs) - (mine < theirs)


def shift_big(number: int, exponent: int) -> int:
    """Number x 10^exponent as int64, as apimachinery's scaledValue computes it, including how it overflows.

    Up: int64 multiplication that wraps. Down: one is added when a remainder is left, after truncating division for
    numbers that take the short way, after flooring division for the others.
    """
    if exponent == 0:
        return wrap_int64(number)
    if exponent > 0:
        # float -> int64 of a power that does not fit is the smallest int64 on amd64
        power = 10**exponent if exponent < _INT64_DIGITS else INT64_MIN
        return wrap_int64(wrap_int64(number) * power)
    if number < INT64_MAX and -exponent < _INT64_DIGITS:
        short = wrap_int64(number)
        quotient, rest = divmod(abs(short), 10**-exponent)
        quotient = quotient if short >= 0 else -quotient
        return quotient + 1 if rest else quotient
    if -exponent > number.bit_length():
        quotient, rest = (0, number) if number >= 0 else (-1, 1)
    else:
        quotient, rest = divmod(number, 10**-exponent)
    return wrap_int64(wrap_int64(quotient) + 1) if rest else wrap_int64(quotient)


def go_power_of_ten(exponent: int) -> float:
    """math.Pow10: from two tables, so that the last bit is Go's."""
    if 0 <= exponent <= 308:  # largest finite power
        return float(f"1e{exponent // 32 * 32}") * float(f"1e{exponent % 32}")
    if -323 <= exponent <= 0:  # smallest power that is not 0
        return float(f"1e-{-exponent // 32 * 32}") / float(f"1e{-exponent % 32}")
    return float("inf") if exponent > 0 else 0.0

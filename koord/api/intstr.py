"""intstr.IntOrString: a whole number or a percentage."""

import re

from koord.api.errors import ApiError

_PERCENT = re.compile(r"[+-]?[0-9]+%", re.ASCII)
_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)


def percent(value: int | str) -> int | None:
    """The number of a text such as `"30%"`; None for anything else."""
    return int(value[:-1]) if isinstance(value, str) and _PERCENT.fullmatch(value) else None


def scaled_value(value: int | str, total: int, *, round_up: bool) -> int:
    """A number as it is, a percentage as that share of the total (intstr.GetScaledValueFromIntOrPercent).

    Raises ApiError for a text that is no percentage.
    """
    if isinstance(value, int):
        return value
    share = percent(value)
    if share is None:
        raise ApiError(f'found "{value}", allowed an integer or a percentage such as "30%"')
    scaled = share * total
    return -(-scaled // 100) if round_up else scaled // 100


def int_value(value: int | str) -> int:
    """A number as it is, a text as the number it says, 0 where it says none (IntOrString.IntValue)."""
    if isinstance(value, int):
        return value
    return int(value) if _INTEGER.fullmatch(value) else 0

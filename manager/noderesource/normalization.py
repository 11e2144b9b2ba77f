"""The CPU normalization ratio of a node, applied to batch-cpu and compared."""

from koord.api.gotext import parse_float
from koord.api.quantity import Quantity
from manager.noderesource.amounts import scale_milli


def parse_ratio(text: str | None) -> float | None:
    """The ratio of an annotation; None without one, for a text that is no number, and for numbers not above 0."""
    ratio = None if text is None else parse_float(text)
    return ratio if ratio is not None and ratio > 0 else None


def normalized(cpu: Quantity, ratio: float | None) -> Quantity:
    """Batch-cpu of a node or zone that is faster than the base: times the ratio if that is above 1."""
    return cpu if ratio is None or ratio <= 1 else scale_milli(cpu, ratio)


def ratio_differs(old: str | None, new: str | None) -> bool:
    """Whether a new ratio must be written.

    An old one that cannot be read always is replaced, and a new one that cannot be read never replaces a good one.
    Compared in float64 as written here: 1.20 -> 1.21 is no difference, which abs(old - new) > 0.01 would make one.
    """
    if old is not None and parse_ratio(old) is None:
        return True
    if new is not None and parse_ratio(new) is None:
        return False
    before, after = parse_ratio(old), parse_ratio(new)
    if before is None or after is None:
        return before is not after
    return before > after + 0.01 or before < after - 0.01

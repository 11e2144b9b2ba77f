"""Arithmetic on amounts of cpu and memory, with the rounding and the text formats of the wire."""

import math
from collections.abc import Callable, Iterable
from typing import Final

from koord.api.base import ResourceList
from koord.api.quantity import Format, Quantity

CPU: Final = "cpu"
MEMORY: Final = "memory"

ZERO: Final[ResourceList] = {CPU: Quantity(0), MEMORY: Quantity(0, 0, Format.BINARY_SI)}


def cpu_and_memory(amounts: ResourceList) -> ResourceList:
    """Only the cpu and memory of a list."""
    return {name: amounts[name] for name in (CPU, MEMORY) if name in amounts}


def add(one: ResourceList, other: ResourceList) -> ResourceList:
    """Sum per resource; a resource of one list only keeps its amount."""
    result = dict(one)
    for name, amount in other.items():
        result[name] = result[name] + amount if name in result else amount
    return result


def total(lists: Iterable[ResourceList]) -> ResourceList:
    """Sum of lists; cpu and memory are always in it."""
    result = ZERO
    for amounts in lists:
        result = add(result, amounts)
    return result


def subtract(one: ResourceList, other: ResourceList) -> ResourceList:
    """Difference per resource, a missing one being 0; it may be negative."""
    result = dict(one)
    for name, amount in other.items():
        result[name] = result[name] - amount if name in result else -amount
    return result


def maximum(one: ResourceList, other: ResourceList) -> ResourceList:
    """The larger amount per resource; a resource of one list only keeps its amount, of equal ones the second stays."""
    result = dict(one)
    for name, amount in other.items():
        if name not in result or result[name] <= amount:
            result[name] = amount
    return result


def each(amounts: ResourceList, change: Callable[[Quantity], Quantity]) -> ResourceList:
    """Every amount changed in the same way."""
    return {name: change(amount) for name, amount in amounts.items()}


def scale_milli(amount: Quantity, factor: float) -> Quantity:
    """The thousandths times a factor in float64, cut off towards zero; the format stays."""
    return Quantity.milli(int(float(amount.milli_value()) * factor), amount.format)


def scale(amount: Quantity, factor: float) -> Quantity:
    """The whole units times a factor in float64, cut off towards zero; the format stays."""
    return Quantity(int(float(amount.value()) * factor), 0, amount.format)


def split(amounts: ResourceList, parts: int) -> ResourceList:
    """An equal share of every amount, rounded up to a thousandth."""
    return each(amounts, lambda amount: Quantity.milli(math.ceil(float(amount.milli_value()) / parts), amount.format))


def is_different(old: Quantity | None, new: Quantity | None, threshold: float) -> bool:
    """Whether an amount changed by more than a share of the old one; appearing and vanishing always count."""
    if old is None or new is None:
        return old is not new
    before, after = old.milli_value(), new.milli_value()
    return abs(float(after - before)) > float(before) * threshold

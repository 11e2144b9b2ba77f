"""One condition on a label, shared by label selectors, node selectors and selectors written as text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from koord.api.errors import ApiError
from koord.api.gotext import parse_int

Labels = Mapping[str, str]


class SelectorError(ApiError):
    """A selector that Kubernetes refuses: names the path in it, what was found and what is allowed."""


class Operator(StrEnum):
    """How a label is compared; Gt and Lt compare integers."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    GREATER_THAN = "Gt"
    LESS_THAN = "Lt"


LABEL_OPERATORS: Final = (Operator.IN, Operator.NOT_IN, Operator.EXISTS, Operator.DOES_NOT_EXIST)
NODE_OPERATORS: Final = tuple(Operator)

_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?")
_PREFIX = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")


@dataclass(frozen=True)
class Requirement:
    """A valid condition on one label; build it by `requirement`."""

    key: str
    operator: Operator
    values: frozenset[str]

    def matches(self, labels: Labels) -> bool:
        """Whether the labels fulfil the condition; an absent label fulfils NotIn and DoesNotExist."""
        value = labels.get(self.key)
        match self.operator:
            case Operator.IN:
                return value is not None and value in self.values
            case Operator.NOT_IN:
                return value is None or value not in self.values
            case Operator.EXISTS:
                return value is not None
            case Operator.DOES_NOT_EXIST:
                return value is None
            case Operator.GREATER_THAN | Operator.LESS_THAN:
                return self._matches_number(value)

    def _matches_number(self, value: str | None) -> bool:
        number = None if value is None else parse_int(value)
        bound = parse_int(next(iter(self.values)))
        if number is None or bound is None:
            return False
        return number > bound if self.operator is Operator.GREATER_THAN else number < bound


def requirement(
    key: str,
    operator: str,
    values: tuple[str, ...] | list[str],
    *,
    path: str = "",
    allowed: tuple[Operator, ...] = LABEL_OPERATORS,
) -> Requirement:
    """Check one condition as labels.NewRequirement does; raises SelectorError that starts with the path."""
    where = f"{path}." if path else ""
    if operator not in allowed:
        raise SelectorError(f'{where}operator: found "{operator}", allowed {", ".join(allowed)}')
    check_key(key, f"{where}key")
    kind = Operator(operator)
    if kind in (Operator.IN, Operator.NOT_IN) and not values:
        raise SelectorError(f"{where}values: found none, allowed at least one for {kind}")
    if kind in (Operator.EXISTS, Operator.DOES_NOT_EXIST) and values:
        raise SelectorError(f"{where}values: found {list(values)}, allowed none for {kind}")
    if kind in (Operator.GREATER_THAN, Operator.LESS_THAN):
        if len(values) != 1:
            raise SelectorError(f"{where}values: found {list(values)}, allowed exactly one integer for {kind}")
        if parse_int(values[0]) is None:
            raise SelectorError(f'{where}values[0]: found "{values[0]}", allowed an integer for {kind}')
    for index, value in enumerate(values):
        check_value(value, f"{where}values[{index}]")
    return Requirement(key, kind, frozenset(values))


def check_key(key: str, path: str) -> None:
    """Refuse a text that is no label key: an optional DNS prefix, then a name of at most 63 characters."""
    prefix, slash, name = key.rpartition("/")
    prefix_is_good = not slash or (len(prefix) <= 253 and _PREFIX.fullmatch(prefix) is not None)
    if not (prefix_is_good and len(name) <= 63 and _NAME.fullmatch(name)):
        raise SelectorError(f'{path}: found "{key}", allowed a label key such as "app" or "example.com/app"')


def check_value(value: str, path: str) -> None:
    """Refuse a text that is no label value."""
    if value and (len(value) > 63 or not _NAME.fullmatch(value)):
        raise SelectorError(f'{path}: found "{value}", allowed a label value (63 letters, digits, "-", "_", ".")')

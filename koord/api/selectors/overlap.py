"""Whether two label selectors can match the same labels."""

from koord.api.selectors.labels import Selector
from koord.api.selectors.requirement import Operator, Requirement


def common_labels(one: Selector, other: Selector) -> dict[str, str] | None:
    """Labels that both selectors match, or None when there are none.

    The keys of labels are independent, so the answer is exact: for each key, some value or the key's absence must
    fulfil all conditions on it. Only the four operators of label selectors are understood.
    """
    if one.requirements is None or other.requirements is None:
        return None
    by_key: dict[str, list[Requirement]] = {}
    for requirement in (*one.requirements, *other.requirements):
        by_key.setdefault(requirement.key, []).append(requirement)
    labels: dict[str, str] = {}
    for key, requirements in by_key.items():
        if all(requirement.matches({}) for requirement in requirements):
            continue
        value = _common_value(requirements)
        if value is None:
            return None
        labels[key] = value
    return labels


def _common_value(requirements: list[Requirement]) -> str | None:
    """The least value that fulfils all conditions on one key."""
    wanted = [one.values for one in requirements if one.operator is Operator.IN]
    refused = frozenset[str]().union(*(one.values for one in requirements if one.operator is Operator.NOT_IN))
    if any(one.operator is Operator.DOES_NOT_EXIST for one in requirements):
        return None
    if wanted:
        left = wanted[0].intersection(*wanted[1:]) - refused
        return min(left) if left else None
    candidates = ("any", *(f"any-{number}" for number in range(len(refused))))
    return next(value for value in candidates if value not in refused)

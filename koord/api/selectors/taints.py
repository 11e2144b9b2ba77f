"""Taints and tolerations."""

from collections.abc import Iterable
from enum import StrEnum

from koord.api.base import Int64, Time, Value


class Effect(StrEnum):
    """What a taint does to pods that do not tolerate it."""

    NO_SCHEDULE = "NoSchedule"
    PREFER_NO_SCHEDULE = "PreferNoSchedule"
    NO_EXECUTE = "NoExecute"


class Taint(Value, frozen=True, kw_only=True):
    """A mark on a node (or a Reservation) that keeps pods away."""

    key: str
    effect: str
    value: str = ""
    time_added: Time | None = None


class Toleration(Value, frozen=True, kw_only=True):
    """Which taints a pod bears; an empty key, effect or operator stands for any key, any effect, Equal."""

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: Int64 | None = None


def tolerates(toleration: Toleration, taint: Taint) -> bool:
    """Whether one toleration bears one taint.

    The operators Gt and Lt of Kubernetes 1.35 belong to a feature gate that is off by default
    (TaintTolerationComparisonOperators): like unknown operators they bear nothing.
    """
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    if toleration.operator in ("", "Equal"):
        return toleration.value == taint.value
    return toleration.operator == "Exists"


def untolerated(
    taints: Iterable[Taint],
    tolerations: Iterable[Toleration],
    effects: Iterable[str] = (Effect.NO_SCHEDULE, Effect.NO_EXECUTE),
) -> Taint | None:
    """The first taint with one of the effects that no toleration bears; by default those that forbid scheduling."""
    borne = tuple(tolerations)
    wanted = frozenset(effects)
    return next(
        (taint for taint in taints if taint.effect in wanted and not any(tolerates(one, taint) for one in borne)), None
    )


def intolerable_preferences(taints: Iterable[Taint], tolerations: Iterable[Toleration]) -> int:
    """Count the PreferNoSchedule taints that no toleration for that effect bears; the input of the taint score."""
    effect = Effect.PREFER_NO_SCHEDULE
    borne = tuple(one for one in tolerations if one.effect in ("", effect))
    return sum(taint.effect == effect and not any(tolerates(one, taint) for one in borne) for taint in taints)

"""QoS and priority classes: which one a pod has, what follows from it, which pairs are refused."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from koord.api.gotext import parse_int
from koord.api.names.qos import LABEL_PRIORITY, LABEL_PRIORITY_CLASS, LABEL_QOS_CLASS
from koord.api.names.resources import (
    RESOURCE_BATCH_CPU,
    RESOURCE_BATCH_MEMORY,
    RESOURCE_CPU,
    RESOURCE_MEMORY,
    RESOURCE_MID_CPU,
    RESOURCE_MID_MEMORY,
)
from koord.api.quantity import Quantity

Labels = Mapping[str, str]
Resources = Mapping[str, Quantity]


class QoSClass(StrEnum):
    """Koordinator's QoS class of a pod."""

    LSE = "LSE"  # exclusive CPUs that BE pods may not use
    LSR = "LSR"  # reserved CPUs whose idle time BE pods may use
    LS = "LS"
    BE = "BE"
    SYSTEM = "SYSTEM"
    NONE = ""


class KubernetesQoS(StrEnum):
    """The QoS class that Kubernetes derives from requests and limits."""

    GUARANTEED = "Guaranteed"
    BURSTABLE = "Burstable"
    BEST_EFFORT = "BestEffort"


class PriorityClass(StrEnum):
    """The priority class of a pod: a band of `spec.priority`."""

    PROD = "koord-prod"
    MID = "koord-mid"
    BATCH = "koord-batch"
    FREE = "koord-free"
    NONE = ""


class Band(NamedTuple):
    """The priorities of a class: bounds inclusive, and the value that stands for the class."""

    lowest: int
    highest: int
    default: int


BANDS: Final = {
    PriorityClass.PROD: Band(9000, 9999, 9500),
    PriorityClass.MID: Band(7000, 7999, 7500),
    PriorityClass.BATCH: Band(5000, 5999, 5500),
    PriorityClass.FREE: Band(3000, 3999, 3500),
}
"""What lies outside of all bands, the system-critical classes included, is class none."""

_FROM_KUBERNETES: Final = {
    KubernetesQoS.GUARANTEED: QoSClass.LSR,
    KubernetesQoS.BURSTABLE: QoSClass.LS,
    KubernetesQoS.BEST_EFFORT: QoSClass.BE,
}
_PRIORITY_OF_QOS: Final = {
    QoSClass.SYSTEM: PriorityClass.PROD,
    QoSClass.LSE: PriorityClass.PROD,
    QoSClass.LSR: PriorityClass.PROD,
    QoSClass.LS: PriorityClass.PROD,
    QoSClass.BE: PriorityClass.BATCH,
    QoSClass.NONE: PriorityClass.NONE,
}
_EXTENDED: Final = {
    PriorityClass.BATCH: {RESOURCE_CPU: RESOURCE_BATCH_CPU, RESOURCE_MEMORY: RESOURCE_BATCH_MEMORY},
    PriorityClass.MID: {RESOURCE_CPU: RESOURCE_MID_CPU, RESOURCE_MEMORY: RESOURCE_MID_MEMORY},
}
_ALLOWED_PRIORITIES: Final = {
    QoSClass.LSR: (PriorityClass.PROD,),
    QoSClass.BE: (PriorityClass.MID, PriorityClass.BATCH, PriorityClass.FREE),
}


def qos_class(text: str | None) -> QoSClass:
    """The class of that name, none for any other text; case matters."""
    try:
        return QoSClass(text or "")
    except ValueError:
        return QoSClass.NONE


def raw_qos(labels: Labels) -> QoSClass:
    """The class that the label says, none without it."""
    return qos_class(labels.get(LABEL_QOS_CLASS))


def default_qos(labels: Labels, kubernetes: KubernetesQoS) -> QoSClass:
    """The class by label, else by the Kubernetes QoS class (from the status, else `kubernetes_qos`)."""
    raw = raw_qos(labels)
    return raw if raw is not QoSClass.NONE else _FROM_KUBERNETES[kubernetes]


def kubernetes_qos(containers: Iterable[tuple[Resources, Resources]]) -> KubernetesQoS:
    """Compute the Kubernetes QoS class from (requests, limits) of all init and regular containers.

    For a pod with resources at pod level pass only those, as ComputePodQOS (Kubernetes 1.35) does.
    """
    requests: dict[str, Quantity] = {}
    limits: dict[str, Quantity] = {}
    guaranteed = True
    for own_requests, own_limits in containers:
        _add_positive(requests, own_requests)
        guaranteed = len(_add_positive(limits, own_limits)) == 2 and guaranteed
    if not requests and not limits:
        return KubernetesQoS.BEST_EFFORT
    return KubernetesQoS.GUARANTEED if guaranteed and requests == limits else KubernetesQoS.BURSTABLE


def _add_positive(total: dict[str, Quantity], resources: Resources) -> set[str]:
    """Add the positive amounts of cpu and memory to the total; returns which of the two there were."""
    found: set[str] = set()
    for name in (RESOURCE_CPU, RESOURCE_MEMORY):
        amount = resources.get(name)
        if amount is not None and amount.sign > 0:
            found.add(name)
            total[name] = total[name] + amount if name in total else amount
    return found


def priority_class(text: str | None) -> PriorityClass:
    """The class of that name, none for any other text."""
    try:
        return PriorityClass(text or "")
    except ValueError:
        return PriorityClass.NONE


def priority_class_of_value(priority: int | None) -> PriorityClass:
    """The class whose band holds `spec.priority`."""
    if priority is None:
        return PriorityClass.NONE
    return next((name for name, band in BANDS.items() if band.lowest <= priority <= band.highest), PriorityClass.NONE)


def raw_priority_class(labels: Labels, priority: int | None) -> PriorityClass:
    """The class by label if there is one, whatever it says, else by the band of `spec.priority`."""
    if LABEL_PRIORITY_CLASS in labels:
        return priority_class(labels[LABEL_PRIORITY_CLASS])
    return priority_class_of_value(priority)


def default_priority_class(labels: Labels, priority: int | None, kubernetes: KubernetesQoS) -> PriorityClass:
    """The raw class, and if that is none the one that the QoS class implies ("class with default")."""
    raw = raw_priority_class(labels, priority)
    return raw if raw is not PriorityClass.NONE else _PRIORITY_OF_QOS[default_qos(labels, kubernetes)]


def class_value(priority: PriorityClass) -> int:
    """The number that stands for a class, 0 for none."""
    return BANDS[priority].default if priority in BANDS else 0


def default_priority_value(labels: Labels, priority: int | None, kubernetes: KubernetesQoS) -> int:
    """`spec.priority` if it is set and not 0, else the number of the class with default ("value with default")."""
    return priority or class_value(default_priority_class(labels, priority, kubernetes))


def sub_priority(labels: Labels) -> int | None:
    """The sub-priority inside the band, a decimal number; None when the label is missing or says none."""
    return parse_int(labels.get(LABEL_PRIORITY, ""))


def resource_name(name: str, priority: PriorityClass) -> str:
    """The name under which a class consumes cpu or memory; empty for koord-free, which consumes none of them."""
    if priority in (PriorityClass.PROD, PriorityClass.NONE):
        return name
    return _EXTENDED.get(priority, {}).get(name, "")


def allowed_priorities(qos: QoSClass) -> tuple[PriorityClass, ...] | None:
    """The raw priority classes that admission accepts with a raw QoS class; None when all are."""
    return _ALLOWED_PRIORITIES.get(qos)


def may_combine(qos: QoSClass, priority: PriorityClass) -> bool:
    """Whether admission accepts the raw QoS class together with the raw priority class."""
    allowed = allowed_priorities(qos)
    return allowed is None or priority in allowed

"""Nodes: reserved and dedicated CPUs, normalization, amplification, colocation, allocations of third parties."""

from enum import StrEnum
from typing import Final

import msgspec
import orjson

from koord.api.base import Record, ResourceList
from koord.api.gojson import parse
from koord.api.names import node as names
from koord.api.payloads import texts
from koord.api.payloads.numa import check_cpus
from koord.api.payloads.payload import (
    Findings,
    Payload,
    Place,
    annotation,
    json_annotation,
    label,
    odd,
    unless_one_of,
)
from koord.api.qos import PriorityClass
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.sloconfig.colocationconfig import range_errors


class ApplyPolicy(StrEnum):
    """What a node reservation lowers: the schedulable total too, or only the CPUs that pods may be bound to."""

    DEFAULT = "Default"
    RESERVED_CPUS_ONLY = "ReservedCPUsOnly"


class NodeReservation(Record, kw_only=True):
    """What of a node is kept from pods; `reserved_cpus` replaces the amount of cpu."""

    resources: ResourceList = {}
    reserved_cpus: str = msgspec.field(default="", name="reservedCPUs")
    apply_policy: str = ""


def _review_reservation(reservation: NodeReservation) -> Findings:
    yield from unless_one_of(reservation.apply_policy, ApplyPolicy, "applyPolicy")


NODE_RESERVATION = json_annotation(
    names.ANNOTATION_NODE_RESERVATION,
    NodeReservation,
    check=lambda reservation: check_cpus(reservation.reserved_cpus, "reservedCPUs"),
    review=_review_reservation,
)


class SystemQOSResource(Record, kw_only=True):
    """CPUs for pods of class SYSTEM; other pods may not use them unless `cpuset_exclusive` is false."""

    cpuset: str = ""
    cpuset_exclusive: bool | None = None

    @property
    def exclusive(self) -> bool:
        """Whether other pods are kept off the CPUs."""
        return self.cpuset_exclusive is not False


SYSTEM_QOS_RESOURCE = json_annotation(
    names.ANNOTATION_SYSTEM_QOS_RESOURCE,
    SystemQOSResource,
    check=lambda resource: check_cpus(resource.cpuset, "cpuset"),
)

CPU_NORMALIZATION_RATIO = annotation(
    names.ANNOTATION_CPU_NORMALIZATION_RATIO, texts.number("a number above 0", lambda ratio: ratio > 0, decimals=2)
)
CPU_NORMALIZATION_ENABLED = label(names.LABEL_CPU_NORMALIZATION_ENABLED, texts.BOOLEAN)


def _write_ratios(ratios: dict[str, float]) -> str:
    """Write every ratio with exactly two decimals, keys sorted: the annotation is compared as text."""
    items = (f"{orjson.dumps(name).decode()}:{ratios[name]:.2f}" for name in sorted(ratios))
    return "{" + ",".join(items) + "}"


def _review_ratios(ratios: dict[str, float]) -> Findings:
    for name, ratio in ratios.items():
        if ratio < 1:
            yield odd(ratio, "1 or more", name)


RESOURCE_AMPLIFICATION_RATIO = Payload(
    Place.ANNOTATION,
    names.ANNOTATION_RESOURCE_AMPLIFICATION_RATIO,
    lambda text: parse(text, dict[str, float]),
    _write_ratios,
    _review_ratios,
)
RAW_ALLOCATABLE = json_annotation(names.ANNOTATION_RAW_ALLOCATABLE, ResourceList)


def _review_strategy(strategy: ColocationStrategy) -> Findings:
    return [odd(error.found, error.allowed, error.path) for error in range_errors(strategy, "")]


COLOCATION_STRATEGY = json_annotation(names.ANNOTATION_COLOCATION_STRATEGY, ColocationStrategy, review=_review_strategy)

_RATIO: Final = texts.number("a number from 0 on", lambda ratio: ratio >= 0)
CPU_RECLAIM_RATIO = label(names.LABEL_CPU_RECLAIM_RATIO, _RATIO)
MEMORY_RECLAIM_RATIO = label(names.LABEL_MEMORY_RECLAIM_RATIO, _RATIO)
MID_STATIC_CPU_RESERVED_RATIO = label(names.LABEL_MID_STATIC_CPU_RESERVED_RATIO, _RATIO)
MID_STATIC_MEMORY_RESERVED_RATIO = label(names.LABEL_MID_STATIC_MEMORY_RESERVED_RATIO, _RATIO)

NETWORK_BANDWIDTH = annotation(names.ANNOTATION_NETWORK_BANDWIDTH, texts.QUANTITY)


class OriginAllocatable(Record, kw_only=True):
    """Batch resources before the allocations of third parties are taken off."""

    resources: ResourceList = {}


ORIGIN_EXTENDED_ALLOCATABLE = json_annotation(names.ANNOTATION_ORIGIN_EXTENDED_ALLOCATABLE, OriginAllocatable)


class ThirdPartyAllocation(Record, kw_only=True):
    """Resources that a system beside Kubernetes uses on the node."""

    name: str
    priority: str
    resources: ResourceList = {}


class ThirdPartyAllocations(Record, kw_only=True):
    """All of them."""

    allocations: list[ThirdPartyAllocation] = []


def _review_allocations(value: ThirdPartyAllocations) -> Findings:
    for index, allocation in enumerate(value.allocations):
        yield from unless_one_of(allocation.priority, filter(None, PriorityClass), "allocations", index, "priority")


THIRD_PARTY_ALLOCATIONS = json_annotation(
    names.ANNOTATION_THIRD_PARTY_ALLOCATIONS, ThirdPartyAllocations, review=_review_allocations
)

"""Eviction on the node, descheduling and migration."""

import re
from enum import StrEnum
from typing import Final

from koord.api.base import Record, Time, Untyped
from koord.api.gojson import Mismatch
from koord.api.gotext import parse_int
from koord.api.names import eviction as names
from koord.api.payloads import texts
from koord.api.payloads.payload import Codec, Findings, annotation, json_annotation, label, unless_one_of


class EvictionFeature(StrEnum):
    """The features of the node agent that evict pods."""

    BE_CPU_EVICT = "BECPUEvict"
    BE_MEMORY_EVICT = "BEMemoryEvict"
    CPU_EVICT = "CPUEvict"
    MEMORY_EVICT = "MemoryEvict"
    CPU_ALLOCATABLE_EVICT = "CPUAllocatableEvict"
    MEMORY_ALLOCATABLE_EVICT = "MemoryAllocatableEvict"


def _review_policy(features: list[str]) -> Findings:
    for index, feature in enumerate(features):
        yield from unless_one_of(feature, EvictionFeature, index)


EVICTION_ENABLED = label(names.LABEL_EVICTION_ENABLED, texts.FLAG)
EVICTION_POLICY = json_annotation(names.ANNOTATION_EVICTION_POLICY, list[str], review=_review_policy)
"""The features that may evict the pod: a missing key is all of them, an empty or unreadable list none."""
EVICTION_PRIORITY = annotation(names.ANNOTATION_EVICTION_PRIORITY, texts.integer(32))

NEVER_EVICT: Final = 2**31 - 1
"""The eviction cost of pods that the descheduler leaves alone."""

_COST: Final = re.compile(r"-[0-9]+|0|[1-9][0-9]*")


def _parse_cost(text: str) -> int:
    cost = parse_int(text, 32) if _COST.fullmatch(text) else None
    if cost is None:
        raise Mismatch(text, "a decimal integer (int32) without plus sign and leading zeros")
    return cost


EVICTION_COST = annotation(names.ANNOTATION_EVICTION_COST, Codec(_parse_cost, str))


class SoftEviction(Record, kw_only=True):
    """A request to a workload's controller to remove a pod; `deleteOptions` as in metav1."""

    timestamp: Time | None = None
    delete_options: Untyped = {}
    initiator: str = ""
    reason: str = ""


SOFT_EVICTION = json_annotation(names.ANNOTATION_SOFT_EVICTION, SoftEviction)


class Evictor(StrEnum):
    """How a pod is removed."""

    EVICTION = "Eviction"
    DELETE = "Delete"
    SOFT_EVICTION = "SoftEviction"


EVICT_POLICY = label(names.LABEL_EVICT_POLICY, texts.one_of(Evictor))
EVICT_REASON = annotation(names.ANNOTATION_EVICT_REASON, texts.TEXT)
EVICT_TRIGGER = annotation(names.ANNOTATION_EVICT_TRIGGER, texts.TEXT)
JOB_CREATED_BY = annotation(names.ANNOTATION_JOB_CREATED_BY, texts.TEXT)
PASSED_ARBITRATION = annotation(names.ANNOTATION_PASSED_ARBITRATION, texts.FLAG)
POD_ARBITRATING = annotation(names.ANNOTATION_POD_ARBITRATING, texts.FLAG)
EVICTABLE = annotation(names.ANNOTATION_EVICTABLE, texts.PRESENCE)
POD_DELETION_COST = annotation(names.ANNOTATION_POD_DELETION_COST, Codec(_parse_cost, str))

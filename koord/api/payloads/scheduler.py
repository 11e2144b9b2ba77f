"""Scheduler keys of no single plugin, and marks that admission and the runtime proxy look for."""

from datetime import datetime

from koord.api.base import Record, Untyped
from koord.api.gojson import parse, render
from koord.api.names import admission, scheduler
from koord.api.payloads import texts
from koord.api.payloads.payload import Payload, Place, annotation, label


class SchedulingHint(Record, kw_only=True):
    """Nodes to try first (`node_names` only those), and what plugins add."""

    node_names: list[str] = []
    preferred_node_names: list[str] = []
    extensions: Untyped = {}


def _parse_hint(text: str) -> SchedulingHint | None:
    return parse(text, SchedulingHint) if text else None


def _hint(key: str) -> Payload[SchedulingHint | None]:
    return Payload(Place.ANNOTATION, key, _parse_hint, lambda hint: render(hint) if hint else "")


SCHEDULING_HINT = _hint(scheduler.ANNOTATION_SCHEDULING_HINT)
"""An empty text is no hint."""
DEPRECATED_SCHEDULING_HINT = _hint(scheduler.DEPRECATED_ANNOTATION_SCHEDULING_HINT)
"""Read only where the other key is missing or empty."""

SCHEDULER_NAME = label(scheduler.LABEL_SCHEDULER_NAME, texts.TEXT)
ORIGINAL_SCHEDULER_NAME = annotation(scheduler.ANNOTATION_ORIGINAL_SCHEDULER_NAME, texts.TEXT)
QUESTIONED_OBJECT_KEY = label(scheduler.LABEL_QUESTIONED_OBJECT_KEY, texts.TEXT)
TOPOLOGY_KEY_TO_EXPLAIN = label(scheduler.LABEL_TOPOLOGY_KEY_TO_EXPLAIN, texts.TEXT)


def sync_barrier(lease: str) -> Payload[datetime]:
    """The barrier annotation of a scheduler's Lease; holds a time."""
    return annotation(scheduler.ANNOTATION_SYNC_BARRIER_PREFIX + lease, texts.TIME_NANO)


MUTATING_UPDATE = label(admission.LABEL_MUTATING_UPDATE, texts.FLAG)
SKIP_ENHANCED_VALIDATION = label(admission.LABEL_SKIP_ENHANCED_VALIDATION, texts.FLAG)
BINDING_ADMISSION_BYPASS = label(admission.LABEL_BINDING_ADMISSION_BYPASS, texts.PRESENCE)
CONFIGMAP_TYPE = label(admission.LABEL_CONFIGMAP_TYPE, texts.TEXT)
SKIP_UPDATE_RESOURCES = annotation(admission.ANNOTATION_SKIP_UPDATE_RESOURCES, texts.PRESENCE)
CONTROLLER_MANAGED = label(admission.LABEL_CONTROLLER_MANAGED, texts.FLAG)
SKIP_HOOK_SERVER = label(admission.LABEL_SKIP_HOOK_SERVER, texts.FLAG)

"""DaemonSet."""

from typing import ClassVar

import msgspec

from koord.api.base import Int32, Int64, Record
from koord.api.core.podspec import PodTemplateSpec
from koord.api.meta import LabelSelector, Object
from koord.api.resource import Resource


class DaemonSetSpec(Record, kw_only=True):
    """One pod of this kind per node."""

    selector: LabelSelector
    template: PodTemplateSpec
    min_ready_seconds: Int32 = 0


class DaemonSetStatus(Record, kw_only=True):
    """How many nodes have their pod."""

    current_number_scheduled: Int32 = 0
    number_misscheduled: Int32 = 0
    desired_number_scheduled: Int32 = 0
    number_ready: Int32 = 0
    observed_generation: Int64 = 0
    number_available: Int32 = 0
    number_unavailable: Int32 = 0


class DaemonSet(Object, kw_only=True):
    """One pod per node."""

    RESOURCE: ClassVar = Resource("apps", "v1", "DaemonSet", "daemonsets", namespaced=True)

    spec: DaemonSetSpec
    status: DaemonSetStatus = msgspec.field(default_factory=DaemonSetStatus)

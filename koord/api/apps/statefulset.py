"""StatefulSet."""

from typing import ClassVar

import msgspec

from koord.api.base import Int32, Int64, IntOrString, Record
from koord.api.core.podspec import PodTemplateSpec
from koord.api.meta import LabelSelector, Object
from koord.api.resource import Resource


class RollingUpdateStatefulSet(Record, kw_only=True):
    """The ordinal from which pods are replaced, and how many may be missing."""

    partition: Int32 | None = None
    max_unavailable: IntOrString | None = None


class StatefulSetUpdateStrategy(Record, kw_only=True):
    """`RollingUpdate` or `OnDelete`."""

    type: str = ""
    rolling_update: RollingUpdateStatefulSet | None = None


class StatefulSetSpec(Record, kw_only=True):
    """How many pods of which kind, with which identity."""

    replicas: Int32 | None = None
    selector: LabelSelector
    template: PodTemplateSpec
    service_name: str = ""
    pod_management_policy: str = ""
    update_strategy: StatefulSetUpdateStrategy = msgspec.field(default_factory=StatefulSetUpdateStrategy)
    min_ready_seconds: Int32 = 0


class StatefulSetStatus(Record, kw_only=True):
    """How many pods there are."""

    observed_generation: Int64 = 0
    replicas: Int32 = 0
    ready_replicas: Int32 = 0
    current_replicas: Int32 = 0
    updated_replicas: Int32 = 0
    available_replicas: Int32 = 0


class StatefulSet(Object, kw_only=True):
    """Pods with stable names and volumes."""

    RESOURCE: ClassVar = Resource("apps", "v1", "StatefulSet", "statefulsets", namespaced=True)

    spec: StatefulSetSpec
    status: StatefulSetStatus = msgspec.field(default_factory=StatefulSetStatus)

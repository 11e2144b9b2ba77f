"""PodGroup: pods that are scheduled together or not at all."""

from typing import ClassVar

import msgspec

from koord.api.base import Int32, Record, ResourceList, Time
from koord.api.customresource import CustomResource
from koord.api.meta import Object


class PodGroupSpec(Record, kw_only=True):
    """How many pods, and which resources, must be there at once."""

    min_member: Int32 = 0
    min_resources: ResourceList = {}
    schedule_timeout_seconds: Int32 | None = None


class PodGroupStatus(Record, kw_only=True):
    """How many pods of the group are where."""

    phase: str = ""
    occupied_by: str = ""
    scheduled: Int32 = 0
    running: Int32 = 0
    succeeded: Int32 = 0
    failed: Int32 = 0
    schedule_start_time: Time | None = None


class PodGroup(Object, kw_only=True):
    """Pods that are scheduled together or not at all."""

    RESOURCE: ClassVar = CustomResource(
        "scheduling.sigs.k8s.io",
        "v1alpha1",
        "PodGroup",
        "podgroups",
        namespaced=True,
        annotations={"api-approved.kubernetes.io": "https://github.com/kubernetes-sigs/scheduler-plugins/pull/52"},
    )

    spec: PodGroupSpec = msgspec.field(default_factory=PodGroupSpec)
    status: PodGroupStatus = msgspec.field(default_factory=PodGroupStatus)

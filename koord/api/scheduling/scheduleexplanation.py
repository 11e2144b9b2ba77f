"""ScheduleExplanation: why a pod could not be scheduled."""

from typing import Annotated, ClassVar

import msgspec

from koord.api.base import Record, Schema, Time
from koord.api.core.podspec import PodTemplateSpec
from koord.api.customresource import CustomResource
from koord.api.duration import Duration
from koord.api.meta import Object


class ScheduleExplanationSpec(Record, kw_only=True):
    """The object in question; a ttl of 0 keeps the answer."""

    question_object_key: str = ""
    question_object_template: Annotated[PodTemplateSpec, Schema(opaque=True)] | None = None
    ttl: Annotated[Duration, Schema(default="24h")] | None = None


class SchedulingResult(Record, kw_only=True):
    """A place that was found for a pod."""

    namespace: str = ""
    name: str = ""
    uid: str = ""
    node_name: str = ""


class NodeFailedDetail(Record, kw_only=True):
    """Nodes that one plugin refused for one reason."""

    failed_plugin: str = ""
    reason: str = ""
    preempt_might_help: bool = False
    failed_nodes: list[str] = []


class Explanation(Record, kw_only=True):
    """The outcome of one attempt."""

    schedulable: bool = False
    failed_message: str = ""
    feasible_scheduling_result: list[SchedulingResult] = []
    node_failed_details: list[NodeFailedDetail] = []


class PossibleVictim(Record, kw_only=True):
    """A pod that might be preempted."""

    namespace: str = ""
    name: str = ""
    uid: str = ""
    is_nominated_pod: bool = False


class NodePossibleVictim(Record, kw_only=True):
    """Pods of a node that might be preempted."""

    node_name: str = ""
    possible_victims: list[PossibleVictim] = []


class DetailedExplanation(Record, kw_only=True):
    """The outcome within one topology domain."""

    topology_domain: str = ""
    schedulable: bool = False
    schedulable_after_preemption: bool = False
    failed_message: str = ""
    schedule_explanation: Explanation | None = None
    node_possible_victims: list[NodePossibleVictim] = []
    preempt_explanation: Explanation | None = None


class ScheduleExplanationStatus(Record, kw_only=True):
    """The answer."""

    schedulable: bool = False
    schedulable_after_preemption: bool = False
    failed_message: str = ""
    last_update_time: Time | None = None
    detailed_explanation: list[DetailedExplanation] = []


class ScheduleExplanation(Object, kw_only=True):
    """A question about scheduling and its answer."""

    RESOURCE: ClassVar = CustomResource(
        "scheduling.koordinator.sh",
        "v1alpha1",
        "ScheduleExplanation",
        "scheduleexplanations",
        namespaced=True,
        status_subresource=True,
        short_names=("sched-exp",),
    )

    spec: ScheduleExplanationSpec = msgspec.field(default_factory=ScheduleExplanationSpec)
    status: ScheduleExplanationStatus = msgspec.field(default_factory=ScheduleExplanationStatus)

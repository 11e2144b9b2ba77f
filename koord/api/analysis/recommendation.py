"""Recommendation: the resources that a workload's containers should request."""

from typing import Annotated, ClassVar

import msgspec

from koord.api.base import Record, ResourceList, Schema, Time
from koord.api.customresource import AGE, CustomResource, PrinterColumn
from koord.api.meta import Condition, LabelSelector, Object


class CrossVersionObjectReference(Record, kw_only=True):
    """A workload by kind and name."""

    kind: str
    name: str
    api_version: str = ""


class RecommendationTarget(Record, kw_only=True):
    """What is analysed: `type` is `workload` or `podSelector`."""

    type: str
    workload: CrossVersionObjectReference | None = None
    pod_selector: LabelSelector | None = None


class RecommendationSpec(Record, kw_only=True):
    """The target."""

    target: RecommendationTarget


class RecommendedContainerStatus(Record, kw_only=True):
    """The recommended requests of one container."""

    container_name: str = ""
    resources: ResourceList = {}


class RecommendedPodStatus(Record, kw_only=True):
    """The recommended requests of a pod."""

    container_statuses: list[RecommendedContainerStatus] = []


class RecommendationStatus(Record, kw_only=True):
    """The last recommendation."""

    pod_status: RecommendedPodStatus | None = None
    update_time: Time | None = None
    conditions: list[Condition] = []


class Recommendation(Object, kw_only=True):
    """The resources that a workload's containers should request."""

    RESOURCE: ClassVar = CustomResource(
        "analysis.koordinator.sh",
        "v1alpha1",
        "Recommendation",
        "recommendations",
        namespaced=True,
        status_subresource=True,
        short_names=("recom",),
        columns=(
            AGE,
            PrinterColumn("Type", "string", ".spec.target.type"),
            PrinterColumn("Kind", "string", ".spec.target.workload.kind"),
            PrinterColumn("Name", "string", ".spec.target.workload.name"),
            PrinterColumn("LastUpdateTime", "date", ".status.updateTime"),
        ),
    )

    spec: Annotated[RecommendationSpec, Schema(required=False)]
    status: RecommendationStatus = msgspec.field(default_factory=RecommendationStatus)

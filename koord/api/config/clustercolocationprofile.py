"""ClusterColocationProfile: how admission changes the pods that it selects."""

from typing import Annotated, Any, ClassVar

import msgspec

from koord.api.base import Int32, IntOrString, Record, Schema
from koord.api.customresource import CustomResource
from koord.api.meta import LabelSelector, Object


class ClusterColocationProfileSpec(Record, kw_only=True):
    """Selectors and changes; `probability` is 0 to 100 or a percentage, `patch` a strategic merge patch of the pod."""

    namespace_selector: LabelSelector | None = None
    selector: LabelSelector | None = None
    probability: IntOrString | None = None
    qos_class: Annotated[str, Schema(enum=("LSE", "LSR", "LS", "BE", "SYSTEM"))] = ""
    priority_class_name: str = ""
    koordinator_priority: Int32 | None = None
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}
    label_keys_mapping: dict[str, str] = {}
    annotation_keys_mapping: dict[str, str] = {}
    label_suffixes: dict[str, str] = {}
    scheduler_name: str = ""
    patch: Any = None


class ClusterColocationProfileStatus(Record, kw_only=True):
    """Has no fields."""


class ClusterColocationProfile(Object, kw_only=True):
    """How admission changes the pods that it selects."""

    RESOURCE: ClassVar = CustomResource(
        "config.koordinator.sh",
        "v1alpha1",
        "ClusterColocationProfile",
        "clustercolocationprofiles",
        namespaced=False,
        status_subresource=True,
    )

    spec: ClusterColocationProfileSpec = msgspec.field(default_factory=ClusterColocationProfileSpec)
    status: ClusterColocationProfileStatus = msgspec.field(default_factory=ClusterColocationProfileStatus)

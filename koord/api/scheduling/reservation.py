"""Reservation: room on a node that is kept for pods that come later."""

from typing import Annotated, ClassVar

import msgspec

from koord.api.base import Record, ResourceList, Schema, Time, Value
from koord.api.core.podspec import PodTemplateSpec
from koord.api.customresource import AGE, CustomResource, PrinterColumn
from koord.api.duration import Duration
from koord.api.meta import LabelSelector, Object, ObjectReference
from koord.api.selectors.taints import Taint


class ReservationControllerReference(Value, frozen=True, kw_only=True):
    """An owner reference with the namespace of the pods."""

    SCHEMA: ClassVar[Schema] = Schema(map_type="atomic")

    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool | None = None
    block_owner_deletion: bool | None = None
    namespace: str = ""


class ReservationOwner(Record, kw_only=True):
    """Who may use a reservation: all of the given fields must match."""

    SCHEMA: ClassVar[Schema] = Schema(min_properties=1)

    object: ObjectReference | None = None
    controller: ReservationControllerReference | None = None
    label_selector: LabelSelector | None = None


class PreAllocationPolicy(Record, kw_only=True):
    """Which running pods a pre-allocating reservation may be placed over."""

    mode: Annotated[str, Schema(default="Default", enum=("Default", "Cluster"))] = ""
    enable_multiple: Annotated[bool, Schema(default=False)] = False


class ReservationSpec(Record, kw_only=True):
    """What is reserved (`template`), for whom (any of `owners`), and for how long."""

    template: Annotated[PodTemplateSpec, Schema(opaque=True)]
    owners: Annotated[list[ReservationOwner], Schema(min_items=1)]
    ttl: Annotated[Duration, Schema(default="24h")] | None = None
    expires: Time | None = None
    pre_allocation: bool = False
    pre_allocation_policy: PreAllocationPolicy | None = None
    allocate_once: Annotated[bool, Schema(default=True)] | None = None
    allocate_policy: Annotated[str, Schema(enum=("Aligned", "Restricted"))] = ""
    unschedulable: bool = False
    taints: list[Taint] = []


class ReservationCondition(Record, kw_only=True):
    """A condition of type `Scheduled` or `Ready`."""

    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""
    last_probe_time: Time | None = None
    last_transition_time: Time | None = None


class ReservationStatus(Record, kw_only=True):
    """Where the reservation is, who uses it, and how much of it."""

    phase: Annotated[str, Schema(default="Pending")] = ""
    conditions: list[ReservationCondition] = []
    current_owners: list[ObjectReference] = []
    node_name: str = ""
    allocatable: ResourceList = {}
    allocated: ResourceList = {}


class Reservation(Object, kw_only=True):
    """Room on a node that is kept for pods that come later."""

    RESOURCE: ClassVar = CustomResource(
        "scheduling.koordinator.sh",
        "v1alpha1",
        "Reservation",
        "reservations",
        namespaced=False,
        status_subresource=True,
        columns=(
            PrinterColumn("Phase", "string", ".status.phase"),
            AGE,
            PrinterColumn("Node", "string", ".status.nodeName"),
            PrinterColumn("TTL", "string", ".spec.ttl"),
            PrinterColumn("Expires", "string", ".spec.expires"),
        ),
    )

    spec: Annotated[ReservationSpec, Schema(required=False)]
    status: ReservationStatus = msgspec.field(default_factory=ReservationStatus)

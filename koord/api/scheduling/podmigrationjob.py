"""PodMigrationJob: one pod is moved to another node, its new place reserved first."""

from typing import Annotated, ClassVar

import msgspec

from koord.api.base import Int64, Record, Schema, Time
from koord.api.customresource import AGE, CustomResource, PrinterColumn
from koord.api.duration import Duration
from koord.api.meta import Object, ObjectMeta, ObjectReference
from koord.api.scheduling.reservation import ReservationSpec


class ReservationTemplateSpec(Record, kw_only=True):
    """The reservation to create for the new pod."""

    metadata: ObjectMeta = msgspec.field(default_factory=ObjectMeta)
    spec: ReservationSpec | None = None


class PodMigrationJobPreemptionOptions(Record, kw_only=True):
    """Has no fields; its presence permits preemption."""


class PodMigrateReservationOptions(Record, kw_only=True):
    """An existing reservation or the template of one."""

    reservation_ref: ObjectReference | None = None
    template: Annotated[ReservationTemplateSpec, Schema(opaque=True)] | None = None
    preemption_options: PodMigrationJobPreemptionOptions | None = None


class Preconditions(Record, kw_only=True):
    """metav1.Preconditions."""

    uid: str | None = None
    resource_version: str | None = None


class DeleteOptions(Record, kw_only=True):
    """metav1.DeleteOptions."""

    kind: str = ""
    api_version: str = ""
    grace_period_seconds: Int64 | None = None
    preconditions: Preconditions | None = None
    orphan_dependents: bool | None = None
    propagation_policy: str | None = None
    dry_run: Annotated[list[str], Schema(list_type="atomic")] = []
    ignore_store_read_error_with_cluster_breaking_potential: bool | None = None


class PodMigrationJobSpec(Record, kw_only=True):
    """The pod to move and how; mode `ReservationFirst` or `EvictDirectly`."""

    paused: bool = False
    ttl: Duration | None = None
    mode: str = ""
    pod_ref: ObjectReference
    reservation_options: PodMigrateReservationOptions | None = None
    delete_options: DeleteOptions | None = None


class PodMigrationJobCondition(Record, kw_only=True):
    """A step of the migration."""

    type: str
    status: str
    last_probe_time: Annotated[Time, Schema(nullable=True)] | None = None
    last_transition_time: Annotated[Time, Schema(nullable=True)] | None = None
    reason: str = ""
    message: str = ""


class PodMigrationJobPreemptedReservation(Record, kw_only=True):
    """A reservation made for a pod that was preempted."""

    namespace: str = ""
    name: str = ""
    node_name: str = ""
    phase: str = ""
    preempted_pod_ref: ObjectReference | None = None
    pods_ref: list[ObjectReference] = []


class PodMigrationJobStatus(Record, kw_only=True):
    """How far the migration is; `pod_ref` is the new pod."""

    phase: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""
    conditions: list[PodMigrationJobCondition] = []
    node_name: str = ""
    pod_ref: ObjectReference | None = None
    preempted_pods_ref: list[ObjectReference] = []
    preempted_pods_reservation: list[PodMigrationJobPreemptedReservation] = []


class PodMigrationJob(Object, kw_only=True):
    """The move of one pod."""

    RESOURCE: ClassVar = CustomResource(
        "scheduling.koordinator.sh",
        "v1alpha1",
        "PodMigrationJob",
        "podmigrationjobs",
        namespaced=False,
        status_subresource=True,
        short_names=("pmj",),
        columns=(
            PrinterColumn("Phase", "string", ".status.phase"),
            PrinterColumn("Status", "string", ".status.status"),
            AGE,
            PrinterColumn("Node", "string", ".status.nodeName"),
            PrinterColumn("Reservation", "string", ".spec.reservationOptions.reservationRef.name"),
            PrinterColumn("PodNamespace", "string", ".spec.podRef.namespace"),
            PrinterColumn("Pod", "string", ".spec.podRef.name"),
            PrinterColumn("NewPod", "string", ".status.podRef.name"),
            PrinterColumn("TTL", "string", ".spec.ttl"),
        ),
    )

    spec: Annotated[PodMigrationJobSpec, Schema(required=False)]
    status: PodMigrationJobStatus = msgspec.field(default_factory=PodMigrationJobStatus)

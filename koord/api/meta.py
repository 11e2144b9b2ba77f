"""The metadata that every object has: ObjectMeta, owner references, list metadata, conditions."""

from typing import Annotated, ClassVar

import msgspec

from koord.api.base import Int64, Record, Schema, Time, Value, View
from koord.api.resource import Resource


class OwnerReference(Value, frozen=True, kw_only=True):
    """An object that owns another one; the owner is in the same namespace or has none."""

    SCHEMA: ClassVar[Schema] = Schema(map_type="atomic")

    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class ObjectMeta(Record, kw_only=True):
    """metav1.ObjectMeta."""

    name: str = ""
    generate_name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: Int64 = 0
    creation_timestamp: Time | None = None
    deletion_timestamp: Time | None = None
    deletion_grace_period_seconds: Int64 | None = None
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}
    owner_references: list[OwnerReference] = []
    finalizers: list[str] = []

    @property
    def key(self) -> str:
        """`namespace/name`, or the name of a cluster-scoped object."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name

    @property
    def controller(self) -> OwnerReference | None:
        """The owner that manages this object."""
        return next((owner for owner in self.owner_references if owner.controller), None)


class Object(Record, kw_only=True):
    """What all kinds have in common; a kind sets its own defaults of `api_version` and `kind`."""

    RESOURCE: ClassVar[Resource]

    api_version: Annotated[str, Schema(required=True)] = ""
    kind: Annotated[str, Schema(required=True)] = ""
    metadata: ObjectMeta = msgspec.field(default_factory=ObjectMeta)

    def __post_init__(self) -> None:
        """Items of a list come without kind and apiVersion, and new objects may leave them out."""
        if not self.kind:
            self.kind = self.RESOURCE.kind
        if not self.api_version:
            self.api_version = self.RESOURCE.api_version

    @property
    def subject(self) -> str:
        """The object in words, for messages: `Reservation web` or `Pod default/web`."""
        return f"{self.kind} {self.metadata.key}" if self.metadata.name else self.kind


class ListMeta(View, frozen=True, kw_only=True):
    """metav1.ListMeta; `continue_` is the token of the next page."""

    resource_version: str = ""
    continue_: str = ""
    remaining_item_count: int | None = None


class RawList(View, frozen=True, kw_only=True):
    """A list whose items are left as bytes, so that each is decoded, and may be broken, on its own."""

    api_version: str = ""
    kind: str = ""
    metadata: ListMeta = ListMeta()
    items: tuple[msgspec.Raw, ...] = ()


_NAME = r"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])"
_REASON = r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"


class Condition(Record, kw_only=True):
    """metav1.Condition."""

    type: Annotated[str, Schema(max_length=316, pattern=f"^{_NAME}$")]
    status: Annotated[str, Schema(enum=("True", "False", "Unknown"))]
    observed_generation: Annotated[Int64, Schema(minimum=0)] = 0
    last_transition_time: Time
    reason: Annotated[str, Schema(min_length=1, max_length=1024, pattern=_REASON)]
    message: Annotated[str, Schema(max_length=32768)]


class ObjectReference(Value, frozen=True, kw_only=True):
    """corev1.ObjectReference."""

    SCHEMA: ClassVar[Schema] = Schema(map_type="atomic")

    api_version: str = ""
    kind: str = ""
    namespace: str = ""
    name: str = ""
    uid: str = ""
    resource_version: str = ""
    field_path: str = ""


class LabelSelectorRequirement(Value, frozen=True, kw_only=True):
    """One expression of a label selector."""

    key: str
    operator: str
    values: Annotated[tuple[str, ...], Schema(list_type="atomic")] = ()


class LabelSelector(Value, frozen=True, kw_only=True):
    """metav1.LabelSelector: all labels and all expressions must match; an empty one matches everything."""

    SCHEMA: ClassVar[Schema] = Schema(map_type="atomic")

    match_labels: dict[str, str] = {}
    match_expressions: Annotated[tuple[LabelSelectorRequirement, ...], Schema(list_type="atomic")] = ()

"""The metadata that views of objects keep."""

from koord.api.base import Time, View
from koord.api.meta import OwnerReference


class MetaView(View, frozen=True, kw_only=True):
    """ObjectMeta without what only API servers need (managed fields, finalizers, generation)."""

    name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    creation_timestamp: Time | None = None
    deletion_timestamp: Time | None = None
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}
    owner_references: tuple[OwnerReference, ...] = ()

    @property
    def key(self) -> str:
        """`namespace/name`, or the name of a cluster-scoped object."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name

    @property
    def controller(self) -> OwnerReference | None:
        """The owner that manages this object."""
        return next((owner for owner in self.owner_references if owner.controller), None)

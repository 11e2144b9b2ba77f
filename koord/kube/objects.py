"""What the client layer needs to know of an object, whatever its type."""

from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar

import msgspec

from koord.api.resource import Resource


class Metadata(Protocol):
    """The part of ObjectMeta that every kept object has."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def namespace(self) -> str: ...  # noqa: D102
    @property
    def uid(self) -> str: ...  # noqa: D102
    @property
    def resource_version(self) -> str: ...  # noqa: D102


class ApiObject(Protocol):
    """A kind of the API, whole or projected, that says where it lives."""

    RESOURCE: ClassVar[Resource]

    @property
    def metadata(self) -> Metadata: ...  # noqa: D102


T = TypeVar("T", bound=ApiObject)


class Identity(msgspec.Struct, frozen=True, rename="camel"):
    """The metadata by which an object is told from others, also when the rest of it cannot be read."""

    name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""


class _Identified(msgspec.Struct, frozen=True):
    metadata: Identity = Identity()


_IDENTIFIED = msgspec.json.Decoder(_Identified)


def key_of(metadata: Metadata) -> str:
    """`namespace/name`, or the name of a cluster-scoped object: the key of stores and work queues."""
    return f"{metadata.namespace}/{metadata.name}" if metadata.namespace else metadata.name


def split_key(key: str) -> tuple[str, str]:
    """Namespace (empty if cluster-scoped) and name of a key."""
    namespace, _, name = key.rpartition("/")
    return namespace, name


def identity_of(document: bytes | msgspec.Raw) -> Identity:
    """The identity in an object's JSON; all fields empty when not even that can be read."""
    try:
        return _IDENTIFIED.decode(document).metadata
    except msgspec.DecodeError:
        return Identity()


@dataclass(frozen=True, slots=True)
class BrokenObject:
    """An object that could not be decoded: skipped, while the last good version of it stays in force."""

    identity: Identity
    error: str

    @property
    def key(self) -> str:
        """The object's key; empty when not even its name can be read."""
        return key_of(self.identity)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which objects of a kind: an empty namespace means all, empty selectors everything."""

    namespace: str = ""
    labels: str = ""
    fields: str = ""

    def query(self) -> dict[str, str]:
        """The query parameters that select on the server."""
        chosen = {"labelSelector": self.labels, "fieldSelector": self.fields}
        return {name: value for name, value in chosen.items() if value}

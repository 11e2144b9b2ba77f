"""The classes that API types derive from, and the markers that say what Python's types cannot.

Three rules hold for every type:

* typed reads go straight from bytes to structs (`koord.api.codec`);
* JSON null equals absent for every field, as Go writes it; in a list or map it is the zero value, as Go reads it;
* a `Record` that is sent by PUT carries the document it came from, and its known fields are laid over that document, so
  nothing unknown is lost at any depth. A `View` holds a part of an object, is frozen, and can only be patched.

A field without a default is required. A default is Go's zero value: what the server fills in is `Schema.default`.
"""

from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar

import msgspec

from koord.api.duration import Duration
from koord.api.quantity import Quantity

ABSENT: Final[Any] = msgspec.UNSET


@dataclass(frozen=True, kw_only=True)
class Schema:
    """What the schema of a CRD says about a value beyond its type; None is unsaid.

    Bounds are checked by `koord.api.validation` and by servers, never while decoding: as in Go, an object with a value
    out of bounds can be read. On a field it stands in `Annotated`; `SCHEMA` of a struct holds for each of its values.
    `opaque` leaves a value out of the schema that the type describes: servers store whatever stands there.
    """

    default: Any = ABSENT
    required: bool | None = None
    enum: tuple[str, ...] | None = None
    minimum: int | None = None
    maximum: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    min_items: int | None = None
    min_properties: int | None = None
    nullable: bool | None = None
    list_type: str | None = None
    map_type: str | None = None
    opaque: bool | None = None


@dataclass(frozen=True)
class Format:
    """The `format` of an integer or a string in OpenAPI."""

    name: str


@dataclass(frozen=True)
class MicroSeconds:
    """Marks a time that is written with six digits after the second."""


Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1), Format("int32")]
Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1), Format("int64")]
IntOrString = int | str
Time = Annotated[datetime, msgspec.Meta(tz=True), Format("date-time")]
"""metav1.Time: an instant with a zone, written in UTC without fractions of a second."""
MicroTime = Annotated[datetime, msgspec.Meta(tz=True), Format("date-time"), MicroSeconds()]
"""metav1.MicroTime: an instant with a zone, written in UTC with six digits after the second."""
ResourceList = dict[str, Quantity]
"""Resource name to amount."""
Untyped = dict[str, Any]
"""A JSON object that is passed through as it is."""


_INITIALISMS: Final = {
    name.lower(): name
    for name in (
        "BE",
        "BPS",
        "CIDR",
        "CIDRs",
        "ID",
        "IDs",
        "IOPS",
        "IP",
        "IPC",
        "IPs",
        "PID",
        "QOS",
        "TTL",
        "UID",
        "UUID",
    )
}


def json_key(name: str) -> str:
    """The JSON key of a field: camel case with Go's initialisms (`cpu_qos` -> `cpuQOS`, `host_ip` -> `hostIP`)."""
    first, *others = name.rstrip("_").split("_")
    return first + "".join(_INITIALISMS.get(part) or part.capitalize() for part in others)


class Carrying:
    """What lets a struct be written back: it may carry the JSON object that it was decoded from."""

    __slots__ = ()

    SCHEMA: ClassVar[Schema] = Schema()

    @property
    def carried(self) -> dict[str, Any] | None:
        """The JSON object this struct was decoded from by `decode_for_update`; None for a new one. Never change it."""
        return vars(self).get(_CARRIED)

    def carry(self, document: dict[str, Any] | None) -> None:
        """Set the JSON object over which this struct is written."""
        if document is not None:
            vars(self)[_CARRIED] = document


_CARRIED: Final = "carried document"
_Struct = TypeVar("_Struct", bound="Record | Value")


class Record(Carrying, msgspec.Struct, kw_only=True, rename=json_key, omit_defaults=True, dict=True):
    """A struct that can be changed and written back."""

    def __copy__(self) -> Self:
        return replace(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return _deep_copy(self, memo)


class Value(Carrying, msgspec.Struct, frozen=True, kw_only=True, rename=json_key, omit_defaults=True, dict=True):
    """A small struct without an identity of its own, e.g. a toleration: frozen, shared by records and views."""

    def __copy__(self) -> Self:
        return replace(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return _deep_copy(self, memo)


def replace(struct: _Struct, **changes: Any) -> _Struct:
    """Make a copy with some fields changed that carries the same document; the way to change a frozen value."""
    changed = msgspec.structs.replace(struct, **changes)
    changed.carry(struct.carried)
    return changed


def _deep_copy(struct: _Struct, memo: dict[int, Any]) -> _Struct:
    return replace(struct, **{name: deepcopy(getattr(struct, name), memo) for name in struct.__struct_fields__})


class View(msgspec.Struct, kw_only=True, rename=json_key, frozen=True, gc=False):
    """A declared part of an object: what it does not name is dropped while decoding. It cannot be written back."""


def read_custom(kind: type, value: object) -> object:
    """The decoding hook for the types that are no JSON types; raises a ValueError of `koord.api.errors`."""
    if kind is Quantity:
        return Quantity.from_json(value)
    if kind is Duration and isinstance(value, str):
        return Duration.parse(value)
    raise TypeError(f"found {value!r}, allowed a {kind.__name__}")

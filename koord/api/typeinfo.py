"""What the annotations of API types say, in one form for decoding, writing and schemas."""

import types
from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from enum import Enum, auto
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from koord.api.base import ABSENT, Carrying, Format, MicroSeconds, Schema
from koord.api.duration import Duration
from koord.api.quantity import Quantity


class Shape(Enum):
    """The kinds of values of API types."""

    STRUCT = auto()
    LIST = auto()
    MAP = auto()
    ANY = auto()
    INT_OR_STRING = auto()
    STRING = auto()
    INTEGER = auto()
    NUMBER = auto()
    BOOLEAN = auto()
    TIME = auto()
    QUANTITY = auto()
    DURATION = auto()


_SCALARS: dict[object, Shape] = {
    str: Shape.STRING,
    int: Shape.INTEGER,
    float: Shape.NUMBER,
    bool: Shape.BOOLEAN,
    datetime: Shape.TIME,
    Quantity: Shape.QUANTITY,
    Duration: Shape.DURATION,
    Any: Shape.ANY,
    msgspec.Raw: Shape.ANY,
}


_NOTHING_SAID = Schema()


@dataclass(frozen=True)
class TypeInfo:
    """One annotation taken apart: `item` is the element of a list or map, `struct` the class of a struct.

    `immutable` says that a list is held as a tuple.
    """

    shape: Shape
    optional: bool = False
    item: "TypeInfo | None" = None
    struct: type[msgspec.Struct] | None = None
    format: str = ""
    micro: bool = False
    schema: Schema = _NOTHING_SAID
    immutable: bool = False


@dataclass(frozen=True)
class FieldInfo:
    """A field of a struct: its Python name, its JSON key, its type, and whether the struct has no default for it."""

    name: str
    key: str
    type: TypeInfo
    required: bool
    default: Any


@cache
def fields_of(struct: type[msgspec.Struct]) -> tuple[FieldInfo, ...]:
    """The fields of a struct class, in their declared order."""
    hints = get_type_hints(struct, include_extras=True)
    return tuple(
        FieldInfo(
            name=field.name,
            key=field.encode_name,
            type=describe(hints[field.name]),
            required=field.required,
            default=_default(field),
        )
        for field in msgspec.structs.fields(struct)
    )


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return ABSENT if field.default is msgspec.NODEFAULT else field.default


def describe(annotation: Any) -> TypeInfo:
    """Take an annotation apart; raises TypeError for one that API types do not use."""
    base, schema, form, micro, optional = _strip(annotation)
    origin, arguments = get_origin(base), get_args(base)
    item: TypeInfo | None = None
    struct: type[msgspec.Struct] | None = None
    if base in _SCALARS:
        shape = _SCALARS[base]
    elif origin in (list, tuple):
        shape, item = Shape.LIST, describe(arguments[0])
    elif origin is dict and arguments[1] is Any:
        shape, item = Shape.MAP, TypeInfo(Shape.ANY)
    elif origin is dict:
        shape, item = Shape.MAP, describe(arguments[1])
    elif origin in (Union, types.UnionType) and set(arguments) == {int, str}:
        shape = Shape.INT_OR_STRING
    elif isinstance(base, type) and issubclass(base, msgspec.Struct):
        shape, struct = Shape.STRUCT, base
        schema = _merge(base.SCHEMA, schema) if issubclass(base, Carrying) else schema
    else:
        raise TypeError(f"API types do not use {annotation}")
    return TypeInfo(shape, optional, item, struct, form, micro, schema, origin is tuple)


def _strip(annotation: Any) -> tuple[Any, Schema, str, bool, bool]:
    """Peel `Annotated` and `| None` off, in whatever order they stand."""
    schema, form, micro, optional = Schema(), "", False, False
    while True:
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            for marker in arguments[1:]:
                if isinstance(marker, Schema):
                    schema = _merge(marker, schema)
                elif isinstance(marker, Format):
                    form = marker.name
                elif isinstance(marker, MicroSeconds):
                    micro = True
            annotation = arguments[0]
        elif origin in (Union, types.UnionType) and type(None) in arguments:
            optional = True
            rest = tuple(argument for argument in arguments if argument is not type(None))
            annotation = rest[0] if len(rest) == 1 else Union[rest]  # noqa: UP007 (built from a tuple)
        else:
            return annotation, schema, form, micro, optional


def _merge(inner: Schema, outer: Schema) -> Schema:
    """Lay what the outer marker says over the inner one."""
    return Schema(**dict(_said(inner)) | dict(_said(outer)))


def _said(schema: Schema) -> Iterator[tuple[str, Any]]:
    for field in fields(schema):
        value = getattr(schema, field.name)
        if value is not field.default:
            yield field.name, value

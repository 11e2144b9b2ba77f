"""OpenAPI schemas of CRDs, generated from the types."""

from functools import cache
from typing import Any, Final

import msgspec

from koord.api.base import ABSENT, Schema
from koord.api.meta import Object
from koord.api.quantity import PATTERN
from koord.api.typeinfo import FieldInfo, Shape, TypeInfo, fields_of

PRESERVE_UNKNOWN: Final = "x-kubernetes-preserve-unknown-fields"
INT_OR_STRING: Final = "x-kubernetes-int-or-string"

_KEYWORDS: Final = {
    "default": "default",
    "enum": "enum",
    "minimum": "minimum",
    "maximum": "maximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
    "min_items": "minItems",
    "min_properties": "minProperties",
    "nullable": "nullable",
    "list_type": "x-kubernetes-list-type",
    "map_type": "x-kubernetes-map-type",
}
_TYPES: Final = {
    Shape.STRING: "string",
    Shape.DURATION: "string",
    Shape.TIME: "string",
    Shape.INTEGER: "integer",
    Shape.NUMBER: "number",
    Shape.BOOLEAN: "boolean",
}
_OBJECT_FIELDS: Final = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}


@cache
def openapi_schema(kind: type[Object]) -> dict[str, Any]:
    """The structural schema of a kind, as it stands in `openAPIV3Schema`; shared: don't change it."""
    schema = _struct(kind)
    schema["properties"] |= _OBJECT_FIELDS
    required = [key for key in schema.get("required", []) if key not in _OBJECT_FIELDS]
    schema.pop("required", None)
    return schema | ({"required": required} if required else {})


def _struct(struct: type[msgspec.Struct]) -> dict[str, Any]:
    fields = fields_of(struct)
    schema: dict[str, Any] = {"type": "object"}
    if struct.__doc__:
        schema["description"] = " ".join(struct.__doc__.split())
    if fields:
        schema["properties"] = {field.key: _value(field.type) for field in fields}
    required = sorted(field.key for field in fields if _is_required(field))
    return schema | ({"required": required} if required else {})


def _is_required(field: FieldInfo) -> bool:
    said = field.type.schema.required
    return field.required if said is None else said


def _value(info: TypeInfo) -> dict[str, Any]:
    if info.schema.opaque or info.shape is Shape.ANY:
        return {PRESERVE_UNKNOWN: True}
    schema = _typed(info)
    if info.format:
        schema["format"] = info.format
    return schema | _keywords(info.schema)


def _typed(info: TypeInfo) -> dict[str, Any]:
    if info.struct:
        return _struct(info.struct)
    if info.item and info.shape is Shape.LIST:
        return {"type": "array", "items": _value(info.item)}
    if info.item and info.item.shape is Shape.ANY:
        return {"type": "object", PRESERVE_UNKNOWN: True}
    if info.item:
        return {"type": "object", "additionalProperties": _value(info.item)}
    if info.shape in (Shape.QUANTITY, Shape.INT_OR_STRING):
        pattern = {"pattern": PATTERN} if info.shape is Shape.QUANTITY else {}
        return {INT_OR_STRING: True, "anyOf": [{"type": "integer"}, {"type": "string"}]} | pattern
    return {"type": _TYPES[info.shape]}


def _keywords(schema: Schema) -> dict[str, Any]:
    said = {keyword: getattr(schema, name) for name, keyword in _KEYWORDS.items()}
    return {
        keyword: list(value) if keyword == "enum" else value
        for keyword, value in said.items()
        if value is not None and value is not ABSENT
    }

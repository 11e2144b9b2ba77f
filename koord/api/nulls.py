"""Reading JSON as Go's decoder does where msgspec is stricter: nulls, and required fields that are absent.

A null field equals an absent one; a null in a list or as a value of a map is the zero value; an absent field that has
no default gets its zero value. Decoding takes this way only after the direct one failed: objects without nulls pay
nothing.
"""

from typing import Any, cast

from koord.api.typeinfo import FieldInfo, Shape, TypeInfo, fields_of

_ZEROS: dict[Shape, Any] = {
    Shape.STRING: "",
    Shape.INT_OR_STRING: 0,
    Shape.INTEGER: 0,
    Shape.NUMBER: 0.0,
    Shape.BOOLEAN: False,
    Shape.TIME: "0001-01-01T00:00:00Z",  # time.Time{}
    Shape.QUANTITY: "0",
    Shape.DURATION: "0s",
}


def without_nulls(info: TypeInfo, value: Any) -> Any:
    """A copy of the JSON value that msgspec can convert to the type; what has a wrong type is left for its error."""
    if value is None:
        return None if info.optional or info.shape is Shape.ANY else zero_json(info)
    if info.shape is Shape.STRUCT and isinstance(value, dict):
        return _struct(info, cast("dict[str, Any]", value))
    if info.item is not None and isinstance(value, list):
        return [without_nulls(info.item, element) for element in cast("list[Any]", value)]
    if info.item is not None and isinstance(value, dict):
        return {key: without_nulls(info.item, element) for key, element in cast("dict[str, Any]", value).items()}
    return value


def _struct(info: TypeInfo, value: dict[str, Any]) -> dict[str, Any]:
    if info.struct is None:
        return value
    result: dict[str, Any] = {}
    for field in fields_of(info.struct):
        found = value.get(field.key)
        if found is not None:
            result[field.key] = without_nulls(field.type, found)
        elif field.required:
            result[field.key] = _absent(field)
    return result


def _absent(field: FieldInfo) -> Any:
    return None if field.type.optional else zero_json(field.type)


def zero_json(info: TypeInfo) -> Any:
    """Go's zero value of the type, as JSON."""
    if info.shape is Shape.STRUCT:
        return _struct(info, {})
    if info.shape is Shape.LIST:
        return []
    if info.shape is Shape.MAP:
        return {}
    return _ZEROS.get(info.shape)

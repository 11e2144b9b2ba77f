"""Which keys of a document its type knows: decoding ignores the others, people want to hear of them."""

from typing import Any, cast

import msgspec

from koord.api.gojson import paths
from koord.api.gojson.decode import fold
from koord.api.typeinfo import Shape, TypeInfo, describe, fields_of


def unknown_fields(value: object, kind: Any) -> list[str]:
    """List the paths of keys that decoding the JSON value as the type passes over, in document order."""
    found: list[str] = []
    _walk(value, describe(kind), [], found)
    return found


def names_a_field(value: object, kind: type[msgspec.Struct]) -> bool:
    """Whether a JSON object has a key of the struct, whatever its value."""
    known = {fold(field.key) for field in fields_of(kind)}
    return isinstance(value, dict) and any(fold(key) in known for key in cast("dict[str, object]", value))


def _walk(value: object, info: TypeInfo, steps: list[str | int], found: list[str]) -> None:
    if info.shape is Shape.LIST and info.item is not None and isinstance(value, list):
        for index, element in enumerate(cast("list[object]", value)):
            _walk(element, info.item, [*steps, index], found)
    elif info.shape is Shape.MAP and info.item is not None and isinstance(value, dict):
        for key, element in cast("dict[str, object]", value).items():
            _walk(element, info.item, [*steps, key], found)
    elif info.struct is not None and isinstance(value, dict):
        known = {fold(field.key): field.type for field in fields_of(info.struct)}
        for key, element in cast("dict[str, object]", value).items():
            kind = known.get(fold(key))
            if kind is None:
                found.append(paths.join([*steps, key]))
            else:
                _walk(element, kind, [*steps, key], found)

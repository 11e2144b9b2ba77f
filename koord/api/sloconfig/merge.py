"""One strategy laid over another.

The rule is Go's: write the upper one as JSON, leaving out what is not set, and decode that over the lower one. So a
set 0 or false overrides; an absent field, an empty text, list or map keeps what is below; structs merge field by field;
maps merge key by key, each value replaced whole; lists merge element by element by index and take the upper one's
length; a field that is always written (`totalNetworkBandwidth`) always overrides.
"""

from typing import Any, TypeVar, cast

import msgspec

from koord.api.base import Record
from koord.api.typeinfo import FieldInfo, Shape, TypeInfo, fields_of

S = TypeVar("S", bound=Record)


def merged(base: S, override: S) -> S:
    """The base with what the override sets; neither is changed, parts may be shared with both."""
    changes: dict[str, Any] = {}
    for field in fields_of(type(base)):
        value: object = getattr(override, field.name)
        if _is_written(field, value):
            changes[field.name] = _laid_over(field.type, getattr(base, field.name), value)
    return msgspec.structs.replace(base, **changes)


def _is_written(field: FieldInfo, value: object) -> bool:
    """Whether the field appears in the JSON form: optional ones when set, others when not empty or always written."""
    if field.type.optional:
        return value is not None
    return field.required or field.type.shape is Shape.STRUCT or value != field.default


def _laid_over(info: TypeInfo, base: object, value: object) -> object:
    if info.shape is Shape.STRUCT and base is not None:
        return merged(cast("Record", base), cast("Record", value))
    if info.shape is Shape.MAP:
        return cast("dict[str, object]", base or {}) | cast("dict[str, object]", value)
    if info.shape is Shape.LIST and info.item is not None:
        return _laid_over_by_index(info.item, cast("list[object]", base or []), cast("list[object]", value))
    return value


def _laid_over_by_index(item: TypeInfo, base: list[object], values: list[object]) -> list[object]:
    shared = min(len(base), len(values))
    return [*(_laid_over(item, old, new) for old, new in zip(base, values, strict=False)), *values[shared:]]

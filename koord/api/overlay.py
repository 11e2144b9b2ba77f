"""Writing records: known fields are laid over the JSON object that each struct carries, so nothing unknown is lost.

A known field that did not change keeps its text (`1000m`, an explicit null or zero), or stays absent; a field at its
default is left out unless it is required; a field that was cleared disappears.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Any, cast

import msgspec

from koord.api.base import ABSENT, Carrying, Record
from koord.api.duration import Duration
from koord.api.errors import ApiError
from koord.api.nulls import zero_json
from koord.api.quantity import Quantity
from koord.api.typeinfo import FieldInfo, Shape, TypeInfo, fields_of

_Writer = Callable[[Any, Any], Any]
"""From a value and what the carried document holds at its place (ABSENT if nothing) to JSON."""

_ZERO_TIME = datetime(1, 1, 1, tzinfo=UTC)


def to_json(record: Record) -> dict[str, Any]:
    """The record as a JSON object; shares its unknown parts with the carried document."""
    return _struct_writer(type(record))(record, ABSENT)


def attach(record: msgspec.Struct, document: Any) -> None:
    """Let the record and every struct in it carry the JSON object that it was decoded from."""
    if not isinstance(document, dict):
        return
    source = cast("dict[str, Any]", document)
    if isinstance(record, Carrying):
        record.carry(source)
    for name, key, walk in _nested(type(record)):
        if key in source:
            walk(getattr(record, name), source[key])


def _attach_list(walk: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    def attach_elements(values: Any, document: Any) -> None:
        if isinstance(document, list):
            for value, source in zip(values, cast("list[Any]", document), strict=True):
                walk(value, source)

    return attach_elements


def _attach_map(walk: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    def attach_values(values: Any, document: Any) -> None:
        if isinstance(document, dict):
            for key, source in cast("dict[str, Any]", document).items():
                walk(values[key], source)

    return attach_values


def _attacher(info: TypeInfo) -> Callable[[Any, Any], None] | None:
    if info.shape is Shape.STRUCT:
        return attach
    inner = _attacher(info.item) if info.item else None
    if inner is None:
        return None
    return _attach_list(inner) if info.shape is Shape.LIST else _attach_map(inner)


@cache
def _nested(struct: type[msgspec.Struct]) -> tuple[tuple[str, str, Callable[[Any, Any], None]], ...]:
    found = ((field, _attacher(field.type)) for field in fields_of(struct))
    return tuple((field.name, field.key, walk) for field, walk in found if walk)


def format_time(value: datetime, *, micro: bool = False) -> str:
    """RFC 3339 in UTC as metav1.Time (whole seconds, the rest cut off) or MicroTime (six digits) writes it."""
    return (
        value.astimezone(UTC)
        .strftime("%Y-%m-%dT%H:%M:%S.%fZ" if micro else "%Y-%m-%dT%H:%M:%SZ")
        .rjust(27 if micro else 20, "0")
    )


def _write_plain(value: Any, _found: Any) -> Any:
    return value


def _write_quantity(value: Any, found: Any) -> Any:
    return found if _reads_as(Quantity.from_json, found, value) else str(value)


def _write_duration(value: Any, found: Any) -> Any:
    return found if _reads_as(Duration.parse, found, value) else str(value)


def _write_time(value: Any, found: Any, *, micro: bool = False) -> Any:
    if value == _ZERO_TIME:
        return None
    return found if _reads_as(_read_time, found, value) else format_time(value, micro=micro)


def _write_micro_time(value: Any, found: Any) -> Any:
    return _write_time(value, found, micro=True)


def _read_time(text: str) -> datetime:
    return msgspec.convert(text, datetime)


def _reads_as(read: Callable[[Any], Any], found: Any, value: Any) -> bool:
    if found is ABSENT or found is None:
        return False
    try:
        return read(found) == value
    except (ApiError, msgspec.ValidationError):
        return False


def _list_writer(write: _Writer) -> _Writer:
    def write_list(values: Any, found: Any) -> Any:
        sources = cast("list[Any]", found) if isinstance(found, list) else []
        return [write(value, sources[at] if at < len(sources) else ABSENT) for at, value in enumerate(values)]

    return write_list


def _map_writer(write: _Writer) -> _Writer:
    def write_map(values: Any, found: Any) -> Any:
        sources = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
        return {key: write(value, sources.get(key, ABSENT)) for key, value in values.items()}

    return write_map


_WRITERS: dict[Shape, _Writer] = {
    Shape.QUANTITY: _write_quantity,
    Shape.DURATION: _write_duration,
    Shape.TIME: _write_time,
}


def _writer(info: TypeInfo) -> _Writer:
    if info.shape is Shape.STRUCT and info.struct:
        return _struct_writer(info.struct)
    if info.shape is Shape.LIST and info.item:
        return _list_writer(_writer(info.item))
    if info.shape is Shape.MAP and info.item:
        return _map_writer(_writer(info.item))
    if info.micro:
        return _write_micro_time
    return _WRITERS.get(info.shape, _write_plain)


@cache
def _struct_writer(struct: type[msgspec.Struct]) -> _Writer:
    plan = [(field, _writer(field.type), _written_zero(field.type), _is_required(field)) for field in fields_of(struct)]

    def write_struct(record: Any, _found: Any) -> Any:
        source: dict[str, Any] | None = record.carried
        result = dict(source or {})
        for field, write, zero, required in plan:
            value = getattr(record, field.name)
            found = result.get(field.key, ABSENT)
            written = ABSENT if value is None else write(value, found)
            if written is ABSENT or _may_be_left_out(field, value, written):
                if found is not ABSENT and found is not None and not _same(written, found):
                    _clear(result, field)
            elif not (required and source is not None and found in (ABSENT, None) and written == zero):
                result[field.key] = written
        return result

    return write_struct


def _written_zero(info: TypeInfo) -> Any:
    """Go's zero value as it is written, which is null for a time."""
    return None if info.shape is Shape.TIME else zero_json(info)


def _is_required(field: FieldInfo) -> bool:
    return field.required or bool(field.type.schema.required)


def _may_be_left_out(field: FieldInfo, value: Any, written: Any) -> bool:
    """Whether Go would leave the value out: a pointer never, a required field never, else the zero value."""
    if field.type.optional or _is_required(field):
        return False
    return not written if field.type.shape is Shape.STRUCT else value == field.default


def _clear(result: dict[str, Any], field: FieldInfo) -> None:
    """Take a value out; a struct that is no pointer stays, empty, as in Go."""
    if field.type.shape is Shape.STRUCT and not field.type.optional:
        result[field.key] = {}
    else:
        del result[field.key]


def _same(written: Any, found: Any) -> bool:
    return type(written) is type(found) and written == found

"""Bytes to typed objects and back.

`decode` reads; `decode_for_update` reads what will be written back by PUT; `encode` writes. Errors are
`koord.api.errors.ValidationError` with the object, the path, what was found and what is allowed.
"""

from functools import cache
from typing import Any, TypeVar

import msgspec
import orjson

from koord.api.base import Record, read_custom
from koord.api.errors import ValidationError, subject_of
from koord.api.mismatch import explain
from koord.api.nulls import without_nulls
from koord.api.overlay import attach, to_json
from koord.api.typeinfo import describe

T = TypeVar("T")
R = TypeVar("R", bound=Record)


def decode(kind: type[T], data: bytes | bytearray | memoryview | msgspec.Raw) -> T:
    """Read a JSON document as the type, straight from bytes; nulls are read as Go reads them.

    Raises ValidationError for data that is no JSON or has a value of a wrong type.
    """
    try:
        return _decoder(kind).decode(data)
    except msgspec.ValidationError:
        return from_json(kind, _untyped(kind, data))
    except msgspec.DecodeError as error:
        raise ValidationError(kind.__name__, "", _shown(data), f"valid JSON ({error})") from error


def decode_for_update(kind: type[R], data: bytes) -> R:
    """Read a document that will be written back: the record carries it, so that `encode` loses nothing."""
    record = decode(kind, data)
    attach(record, _untyped(kind, data))
    return record


def from_json(kind: type[T], document: Any) -> T:
    """Read an already parsed JSON value as the type; raises ValidationError like `decode`."""
    plain = without_nulls(describe(kind), document)
    try:
        return msgspec.convert(plain, kind, dec_hook=read_custom)
    except msgspec.ValidationError as error:
        raise explain(kind, plain, str(error), subject_of(document, kind.__name__)) from error


def from_json_for_update(kind: type[R], document: dict[str, Any]) -> R:
    """Like `decode_for_update` for a parsed document, which must not be changed afterwards."""
    record = from_json(kind, document)
    attach(record, document)
    return record


def encode(record: Record) -> bytes:
    """Write a record for POST or PUT.

    Raises TypeError for an object that came from a server but carries nothing: writing it would lose unknown fields.
    """
    metadata = getattr(record, "metadata", None)
    if record.carried is None and getattr(metadata, "resource_version", ""):
        raise TypeError(f"{type(record).__name__} was read by decode: read it by decode_for_update or send a patch")
    return orjson.dumps(to_json(record))


@cache
def _decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    return msgspec.json.Decoder(kind, dec_hook=read_custom)


def _untyped(kind: type, data: bytes | bytearray | memoryview | msgspec.Raw) -> Any:
    try:
        return orjson.loads(memoryview(data))
    except orjson.JSONDecodeError as error:
        raise ValidationError(kind.__name__, "", _shown(data), f"valid JSON ({error})") from error


def _shown(data: bytes | bytearray | memoryview | msgspec.Raw) -> str:
    return bytes(memoryview(data)[:100]).decode(errors="replace")

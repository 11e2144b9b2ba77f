"""Typed decoding with the rules of Go's encoding/json, compiled once per type.

It differs from `koord.api.codec`, which reads whole objects fast, in what matters for texts that people write by hand:
keys match without regard to case, and a mismatch names the exact path, map keys included.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeVar, cast

import msgspec
import orjson

from koord.api.gojson.mismatch import Mismatch
from koord.api.gojson.scalars import SCALARS, Decode, decode_int32
from koord.api.typeinfo import Shape, TypeInfo, describe, fields_of

T = TypeVar("T")


class Compiled(NamedTuple):
    """How a type is read: from a value other than null, and from null."""

    decode: Decode
    zero: Callable[[], Any]


def parse(text: str | bytes, kind: type[T]) -> T:
    """Read a JSON text as a value of the type; raises Mismatch, with an empty path for broken JSON."""
    return decode(load(text), kind)


def load(text: str | bytes) -> object:
    """Read a JSON text without a type; raises Mismatch."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        found = text.decode(errors="replace") if isinstance(text, bytes) else text
        raise Mismatch(found, f"JSON ({error.msg} at line {error.lineno} column {error.colno})") from None


def decode(value: object, kind: type[T]) -> T:
    """Read a decoded JSON value as a value of the type; raises Mismatch."""
    compiled = _compiled_for(kind)
    return cast("T", compiled.zero() if value is None else compiled.decode(value))


def fold(key: str) -> str:
    """Fold a key as encoding/json compares keys: by case, with the long s as an s."""
    return key.lower().replace("\u017f", "s")


@cache
def _compiled_for(kind: Any) -> Compiled:
    return _compile(describe(kind))


def _compile(info: TypeInfo) -> Compiled:
    compiled = _compile_present(info)
    return Compiled(compiled.decode, lambda: None) if info.optional else compiled


def _compile_present(info: TypeInfo) -> Compiled:
    if info.struct is not None:
        return _struct_by_name(info.struct)
    if info.shape is Shape.LIST and info.item is not None:
        return _list(_compile(info.item), tuple if info.immutable else list)
    if info.shape is Shape.MAP and info.item is not None:
        return _map(_compile(info.item))
    if info.format == "int32":
        return Compiled(decode_int32, int)
    return Compiled(*SCALARS[info.shape])


def _list(item: Compiled, build: Callable[[list[Any]], Any]) -> Compiled:
    def decode_list(value: object) -> object:
        if not isinstance(value, list):
            raise Mismatch(value, "an array")
        result: list[Any] = []
        for index, element in enumerate(cast("list[object]", value)):
            try:
                result.append(item.zero() if element is None else item.decode(element))
            except Mismatch as mismatch:
                raise mismatch.below(index) from None
        return build(result)

    return Compiled(decode_list, lambda: build([]))


def _map(item: Compiled) -> Compiled:
    def decode_map(value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Mismatch(value, "an object")
        result: dict[str, Any] = {}
        for key, element in cast("dict[str, object]", value).items():
            try:
                result[key] = item.zero() if element is None else item.decode(element)
            except Mismatch as mismatch:
                raise mismatch.below(key) from None
        return result

    return Compiled(decode_map, dict)


def _struct_by_name(struct: type[msgspec.Struct]) -> Compiled:
    """Look the struct's decoder up only when it is needed: types may contain themselves."""

    def decode_struct(value: object) -> object:
        return _struct(struct)(value)

    return Compiled(decode_struct, lambda: _struct(struct)({}))


@cache
def _struct(struct: type[msgspec.Struct]) -> Decode:
    fields = [(field, _compile(field.type)) for field in fields_of(struct)]
    exact = {field.key: (field.name, compiled.decode) for field, compiled in fields}
    folded = {fold(key): target for key, target in reversed(exact.items())}
    required = {field.name: compiled.zero for field, compiled in fields if field.required}

    def decode_struct(value: object) -> object:
        if not isinstance(value, dict):
            raise Mismatch(value, "an object")
        found: dict[str, Any] = {name: zero() for name, zero in required.items()}
        for key, element in cast("dict[str, object]", value).items():
            target = exact.get(key) or folded.get(fold(key))
            if target is None or element is None:
                continue
            try:
                found[target[0]] = target[1](element)
            except Mismatch as mismatch:
                raise mismatch.below(key) from None
        return struct(**found)

    return decode_struct

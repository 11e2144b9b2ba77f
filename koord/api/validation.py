"""Checking objects against the schema of their kind, as an API server does on writing."""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any, Final, cast

import msgspec

from koord.api.base import ABSENT
from koord.api.errors import ValidationError, subject_of
from koord.api.meta import Object
from koord.api.overlay import to_json
from koord.api.schema import INT_OR_STRING, openapi_schema

Schema = dict[str, Any]
Fault = tuple[str, object, str]
"""Path, what was found, what is allowed."""

_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


def validate(record: Object) -> None:
    """Raise ValidationError for the first value that the schema of the record's kind refuses."""
    validate_document(type(record), to_json(record))


def validate_document(kind: type[Object], document: dict[str, Any]) -> None:
    """Like `validate` for an object that is still JSON; this way also sees required fields that are absent."""
    for error in violations(kind, document):
        raise error


def violations(kind: type[Object], document: dict[str, Any]) -> Iterator[ValidationError]:
    """Every value of the document that the schema of the kind refuses."""
    subject = subject_of(document, kind.RESOURCE.kind)
    for path, found, allowed in faults(openapi_schema(kind), document):
        yield ValidationError(subject, path, found, allowed)


def faults(schema: Schema, value: Any, path: str = "") -> Iterator[Fault]:
    """Every value below `value` that a structural schema refuses, with its path."""
    if value is None and schema.get("nullable"):
        return
    refused = _type_fault(schema, value)
    if refused:
        yield path, value, refused
        return
    yield from ((path, found, allowed) for found, allowed in _scalar_faults(schema, value))
    if isinstance(value, dict):
        yield from _object_faults(schema, cast("dict[str, Any]", value), path)
    elif isinstance(value, list):
        elements = cast("list[Any]", value)
        if len(elements) < schema.get("minItems", 0):
            yield path, f"{len(elements)} items", f"at least {schema['minItems']}"
        for index, element in enumerate(elements):
            yield from faults(schema.get("items", {}), element, f"{path}[{index}]")


def _type_fault(schema: Schema, value: Any) -> str:
    if schema.get(INT_OR_STRING):
        fits = isinstance(value, (int, str)) and not isinstance(value, bool)
        return "" if fits else "an integer or a string"
    name = schema.get("type", "")
    if not name:
        return ""
    fits = isinstance(value, _KINDS[name]) and (name == "boolean" or not isinstance(value, bool))
    return "" if fits else f"{'an' if name[0] in 'aio' else 'a'} {name}"


def _object_faults(schema: Schema, value: dict[str, Any], path: str) -> Iterator[Fault]:
    if len(value) < schema.get("minProperties", 0):
        yield path, value, f"at least {schema['minProperties']} of {', '.join(schema.get('properties', {}))}"
    prefix = f"{path}." if path else ""
    properties: dict[str, Schema] = schema.get("properties", {})
    # What is absent or null and has a default gets it before a server validates.
    for key in schema.get("required", ()):
        if key not in value and "default" not in properties[key]:
            yield f"{prefix}{key}", ABSENT, "a value: it is required"
    for key, found in value.items():
        if key in properties:
            if found is not None or "default" not in properties[key]:
                yield from faults(properties[key], found, f"{prefix}{key}")
        elif "additionalProperties" in schema:
            yield from faults(schema["additionalProperties"], found, f"{path}[{key}]")


def _scalar_faults(schema: Schema, value: Any) -> Iterator[tuple[object, str]]:
    if "enum" in schema and value not in schema["enum"]:
        yield value, " or ".join(f'"{one}"' for one in schema["enum"])
    if isinstance(value, str):
        yield from ((value, allowed) for allowed in _text_faults(schema, value))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = schema.get("minimum"), schema.get("maximum")
        if (low is not None and value < low) or (high is not None and value > high):
            yield value, _range(low, high)


def _text_faults(schema: Schema, value: str) -> Iterator[str]:
    low, high = schema.get("minLength", 0), schema.get("maxLength")
    if len(value) < low or (high is not None and len(value) > high):
        yield f"{_range(low, high)} characters"
    if "pattern" in schema and not _pattern(schema["pattern"]).search(value):
        yield f"a text that matches {schema['pattern']}"
    if schema.get("format") == "date-time" and not _is_time(value):
        yield "a time in RFC 3339, e.g. 2006-01-02T15:04:05Z"


def _range(low: int | None, high: int | None) -> str:
    if high is None:
        return f"at least {low}"
    return f"at most {high}" if low is None else f"{low} to {high}"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern of OpenAPI: `$` is the very end there, while Python's also stands before a final newline."""
    return re.compile(text.removesuffix("$") + r"\Z" if text.endswith("$") else text)


def _is_time(value: str) -> bool:
    try:
        return msgspec.convert(value, datetime).tzinfo is not None
    except msgspec.ValidationError:
        return False

"""Every rule of a schema, found in a document that keeps it, with documents that break it."""

import copy
import re
from pathlib import Path

import yaml

from koord.api.schema import openapi_schema

IDENTITY = ("apiVersion", "kind", "metadata")
TIME = "2006-01-02T15:04:05Z"
MANIFESTS = [yaml.safe_load(path.read_text()) for path in Path("tests/unit/api/manifests").glob("*.yaml")]


def manifest(kind):
    resource = kind.RESOURCE
    wanted = (resource.api_version, resource.kind)
    return next(one for one in MANIFESTS if (one["apiVersion"], one["kind"]) == wanted)


def complete(kind):
    """The kind's manifest with every field that its schema has outside metadata: each rule is reached."""
    fields = openapi_schema(kind)["properties"]
    given = manifest(kind)
    return given | {key: good_value(field) for key, field in fields.items() if key not in IDENTITY}


def good_value(schema):
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if "properties" in schema:
        return {key: good_value(field) for key, field in schema["properties"].items()}
    if "additionalProperties" in schema:
        return {"key": good_value(schema["additionalProperties"])}
    if "items" in schema:
        return [good_value(schema["items"])]
    if schema.get("format") == "date-time":
        return TIME
    if schema.get("type", "string") == "string" and "x-kubernetes-preserve-unknown-fields" not in schema:
        # The plain one is also a duration, as some fields without a pattern are.
        return next(text for text in ("1s", "1", "a") if re.search(schema.get("pattern", ""), text))
    return {"integer": schema.get("minimum", 1), "boolean": True}.get(schema.get("type"), {})


def places(schema, value, path=()):
    """Every place of the document together with its schema."""
    yield path, schema, value
    if isinstance(value, dict):
        for key, found in value.items():
            below = schema.get("properties", {}).get(key) or schema.get("additionalProperties")
            if below:
                yield from places(below, found, (*path, key))
    elif isinstance(value, list):
        for index, found in enumerate(value):
            yield from places(schema["items"], found, (*path, index))


def changed(document, path, value):
    document = copy.deepcopy(document)
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return document


def without(document, path):
    document = copy.deepcopy(document)
    place = document
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return document


def shown(path, schema):
    text = ""
    for step in path:
        by_key = "additionalProperties" in schema
        text += f"[{step}]" if isinstance(step, int) or by_key else f".{step}"
        if isinstance(step, int):
            schema = schema["items"]
        else:
            schema = schema.get("properties", {}).get(step) or schema.get("additionalProperties", {})
    return text.removeprefix(".")


def bad_values(schema):
    if "enum" in schema:
        yield "zzz"
    if "minimum" in schema:
        yield schema["minimum"] - 1
    if "maximum" in schema:
        yield schema["maximum"] + 1
    if "minLength" in schema:
        yield "a" * (schema["minLength"] - 1)
    if "maxLength" in schema:
        yield "a" * (schema["maxLength"] + 1)
    if "pattern" in schema:
        yield "$ no match"
    if schema.get("format") == "date-time":
        yield "yesterday"
    if "minItems" in schema:
        yield []
    if "minProperties" in schema:
        yield {}
    wrong = {"string": 5, "integer": "5", "boolean": "true", "object": [], "array": {}}
    if schema.get("type") in wrong:
        yield wrong[schema["type"]]


def bad_documents(schema, document):
    """Documents that break one rule each, with the path of the rule."""
    for path, rule, _ in places(schema, document):
        for bad in bad_values(rule) if path else ():
            yield path, changed(document, path, bad)
        for key in rule.get("required", []):
            if "default" not in rule["properties"][key]:
                yield (*path, key), without(document, (*path, key))

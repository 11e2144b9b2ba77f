"""Every rule of a schema, found in a document that keeps it, with documents that break it."""

import copy
from pathlib import Path

import yaml

MANIFESTS = [yaml.safe_load(path.read_text()) for path in Path("tests/unit/api/manifests").glob("*.yaml")]


def manifest(kind):
    resource = kind.RESOURCE
    wanted = (resource.api_version, resource.kind)
    return next(one for one in MANIFESTS if (one["apiVersion"], one["kind"]) == wanted)


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

"""Validation: every enum, bound, pattern and required field of every kind refuses one bad value with its path."""

import copy
from pathlib import Path

import orjson
import pytest
import yaml

from koord.api.codec import decode_for_update
from koord.api.core.podspec import PodTemplateSpec
from koord.api.errors import ValidationError
from koord.api.kinds import CUSTOM
from koord.api.meta import ObjectMeta, ObjectReference
from koord.api.scheduling.device import Device, DeviceInfo
from koord.api.scheduling.reservation import Reservation, ReservationOwner, ReservationSpec
from koord.api.schema import openapi_schema
from koord.api.validation import faults, validate, validate_document, violations

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


@pytest.mark.parametrize("kind", CUSTOM, ids=lambda kind: kind.__name__)
def test_one_bad_value_per_rule_is_refused_with_its_path(kind):
    schema, document = openapi_schema(kind), manifest(kind)
    tried = 0
    for path, rule, _ in places(schema, document):
        for bad in bad_values(rule) if path else ():
            errors = list(violations(kind, changed(document, path, bad)))
            assert shown(path, schema) in [error.path for error in errors], (path, bad)
            if path[0] != "metadata":
                assert {error.subject for error in errors} == {f"{kind.RESOURCE.kind} {subject_name(document)}"}
            tried += 1
    assert tried > 5


@pytest.mark.parametrize("kind", CUSTOM, ids=lambda kind: kind.__name__)
def test_each_required_field_that_is_missing_is_named(kind):
    schema, document = openapi_schema(kind), manifest(kind)
    for path, rule, _ in places(schema, document):
        for key in rule.get("required", []):
            (error,) = violations(kind, without(document, (*path, key)))
            assert error.path == shown((*path, key), schema)
            assert "required" in error.allowed
            with pytest.raises(ValidationError, match="found nothing"):
                validate(decode_for_update(kind, orjson.dumps(without(document, (*path, key)))))


def subject_name(document):
    metadata = document["metadata"]
    return "/".join(metadata[key] for key in ("namespace", "name") if key in metadata)


def test_the_message_names_object_path_found_and_allowed():
    record = Reservation(
        metadata=ObjectMeta(name="web"),
        spec=ReservationSpec(
            template=PodTemplateSpec(),
            owners=[ReservationOwner(object=ObjectReference(name="a"))],
            allocate_policy="aligned",
        ),
    )
    with pytest.raises(ValidationError) as raised:
        validate(record)
    assert (
        str(raised.value) == 'Reservation web: spec.allocatePolicy: found "aligned", allowed "Aligned" or "Restricted"'
    )


def test_an_empty_owner_is_refused_since_it_would_match_every_pod():
    record = Reservation(spec=ReservationSpec(template=PodTemplateSpec(), owners=[ReservationOwner()]))
    with pytest.raises(ValidationError, match=r"spec\.owners\[0\]: found \{\}, allowed at least 1 of"):
        validate(record)


def test_a_new_object_is_valid_with_the_zero_values_that_it_writes():
    validate(Device(metadata=ObjectMeta(name="n"), spec=Device().spec))
    validate(Device(metadata=ObjectMeta(name="n")))
    record = Device()
    record.spec.devices = [DeviceInfo(type="gpu")]
    validate(record)


@pytest.mark.parametrize(
    ("schema", "value", "allowed"),
    [
        ({"type": "integer"}, True, "an integer"),
        ({"type": "integer"}, 1.5, "an integer"),
        ({"type": "boolean"}, 1, "a boolean"),
        ({"x-kubernetes-int-or-string": True}, 1.5, "an integer or a string"),
        ({"type": "string"}, None, "a string"),
        ({"type": "string", "minLength": 1}, "", "at least 1 characters"),
        ({"type": "string", "pattern": "^a$"}, "a\n", "a text that matches ^a$"),
        ({"type": "integer", "minimum": 0}, -1, "at least 0"),
        ({"type": "integer", "maximum": 0}, 1, "at most 0"),
        ({"type": "integer", "minimum": 1, "maximum": 2}, 3, "1 to 2"),
    ],
)
def test_a_rule_says_what_is_allowed(schema, value, allowed):
    assert [fault[2] for fault in faults(schema, value)] == [allowed]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "nullable": True}, None),
        ({"x-kubernetes-int-or-string": True}, 5),
        ({"x-kubernetes-preserve-unknown-fields": True}, [1, None]),
        ({"type": "object"}, {"anything": None}),
        ({"type": "object", "properties": {"a": {"type": "string", "default": "x"}}}, {"a": None}),
    ],
)
def test_what_a_server_accepts_is_accepted(schema, value):
    assert list(faults(schema, value)) == []


def test_a_document_is_checked_without_decoding_it():
    with pytest.raises(ValidationError, match=r"spec\.devices\[0\]\.health"):
        validate_document(Device, {"metadata": {}, "spec": {"devices": [{"type": "gpu"}]}})

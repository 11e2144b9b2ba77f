"""Validation: every enum, bound, pattern and required field of every kind refuses one bad value with its path."""

import orjson
import pytest

from koord.api.codec import decode_for_update
from koord.api.core.podspec import PodTemplateSpec
from koord.api.errors import ValidationError
from koord.api.kinds import CUSTOM
from koord.api.meta import ObjectMeta, ObjectReference
from koord.api.scheduling.device import Device, DeviceInfo
from koord.api.scheduling.reservation import Reservation, ReservationOwner, ReservationSpec
from koord.api.schema import openapi_schema
from koord.api.validation import faults, validate, validate_document, violations
from tests.unit.api.rules import bad_values, changed, complete, places, shown, without


@pytest.mark.parametrize("kind", CUSTOM, ids=lambda kind: kind.__name__)
def test_one_bad_value_per_rule_is_refused_with_its_path(kind):
    schema, document = openapi_schema(kind), complete(kind)
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
    schema, document = openapi_schema(kind), complete(kind)
    for path, rule, _ in places(schema, document):
        for key in rule.get("required", []):
            if "default" in rule["properties"][key]:
                validate_document(kind, without(document, (*path, key)))
                continue
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
    with pytest.raises(ValidationError, match=r"spec\.devices\[0\]\.topology\.pcieID: found nothing"):
        validate_document(Device, {"spec": {"devices": [{"topology": {"socketID": 0, "nodeID": 0}}]}})

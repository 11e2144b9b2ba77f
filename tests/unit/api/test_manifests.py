"""Manifests of every kind, as clusters hold them: they decode, are valid, and come back unchanged."""

from pathlib import Path

import orjson
import pytest
import yaml

from koord.api.codec import decode, decode_for_update, encode
from koord.api.kinds import BUILT_IN, CUSTOM, kind_of
from koord.api.validation import validate, validate_document

FILES = sorted(Path("tests/unit/api/manifests").glob("*.yaml"))
DOCUMENTS = {path.stem: yaml.safe_load(path.read_text()) for path in FILES}
CASES = [
    pytest.param(kind_of(document["apiVersion"], document["kind"]), document, id=name)
    for name, document in DOCUMENTS.items()
]


def test_there_is_a_manifest_of_every_kind():
    kinds = {(document["apiVersion"], document["kind"]) for document in DOCUMENTS.values()}
    assert kinds == {(kind.RESOURCE.api_version, kind.RESOURCE.kind) for kind in (*CUSTOM, *BUILT_IN)}


@pytest.mark.parametrize(("kind", "document"), CASES)
def test_a_manifest_comes_back_unchanged(kind, document):
    record = decode_for_update(kind, orjson.dumps(document))
    assert orjson.loads(encode(record)) == document


@pytest.mark.parametrize(("kind", "document"), [case for case in CASES if case.values[0] in CUSTOM])
def test_a_manifest_is_valid(kind, document):
    validate_document(kind, document)
    validate(decode_for_update(kind, orjson.dumps(document)))


@pytest.mark.parametrize(("kind", "document"), CASES)
def test_an_unknown_top_level_field_and_the_rest_survive_a_changed_label(kind, document):
    given = document | {"unknown": {"kept": [1, {"deep": None}]}}
    record = decode_for_update(kind, orjson.dumps(given))
    record.metadata.labels["koordinator.sh/changed"] = "true"
    expected = orjson.loads(orjson.dumps(given))
    expected["metadata"].setdefault("labels", {})["koordinator.sh/changed"] = "true"
    assert orjson.loads(encode(record)) == expected


@pytest.mark.parametrize(("kind", "document"), CASES)
def test_both_ways_of_reading_agree(kind, document):
    assert decode(kind, orjson.dumps(document)) == decode_for_update(kind, orjson.dumps(document))

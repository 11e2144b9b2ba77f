"""The generated CRDs against the reference's table of fields, both ways."""

import csv
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from koord.api.crds import manifests
from koord.api.kinds import CUSTOM

TABLE = Path(os.environ.get("KOORD_SPEC", "../shared/spec")) / "crd-fields.tsv"

pytestmark = pytest.mark.skipif(not TABLE.exists(), reason=f"the table of fields is not at {TABLE} (KOORD_SPEC)")


@dataclass(frozen=True)
class Row:
    type: str
    default: str
    required: str
    enum: str
    validation: str


def test_each_field_of_the_table_is_in_the_crds_and_each_field_of_the_crds_in_the_table():
    expected, generated = dict(rows_of_table()), dict(rows_of_crds())
    assert sorted(expected.keys() - generated.keys()) == [], "missing fields"
    assert sorted(generated.keys() - expected.keys()) == [], "extra fields"
    different = {key: (generated[key], expected[key]) for key in expected if generated[key] != expected[key]}
    assert different == {}


def test_the_table_is_complete():
    assert len(dict(rows_of_table())) == 1135


def rows_of_table() -> Iterator[tuple[tuple[str, ...], Row]]:
    with TABLE.open(newline="") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row[0] != "group":
                *key, kind, default, required, enum, validation = row
                yield tuple(key), Row(kind, default, required, enum, validation)


def rows_of_crds() -> Iterator[tuple[tuple[str, ...], Row]]:
    for manifest in manifests(CUSTOM):
        spec = manifest["spec"]
        for version in spec["versions"]:
            identity = (spec["group"], version["name"], spec["names"]["kind"], spec["names"]["plural"], spec["scope"])
            for path, row in rows_of_schema(version["schema"]["openAPIV3Schema"], ""):
                yield (*identity, path), row


def rows_of_schema(schema: dict, path: str) -> Iterator[tuple[str, Row]]:
    for name, field in schema.get("properties", {}).items():
        child = f"{path}.{name}" if path else name
        yield child, row_of(field, name in schema.get("required", []))
        yield from rows_below(field, child)


def rows_below(schema: dict, path: str) -> Iterator[tuple[str, Row]]:
    yield from rows_of_schema(schema, path)
    if "items" in schema and schema["items"]["type"] == "object":
        yield f"{path}[]", row_of(schema["items"], required=False)
        yield from rows_below(schema["items"], f"{path}[]")
    values = schema.get("additionalProperties")
    if values and (values.get("type") == "object" or "pattern" in values):
        yield f"{path}.{{key}}", row_of(values, required=False)
        yield from rows_below(values, f"{path}.{{key}}")


def row_of(schema: dict, required: bool) -> Row:
    return Row(
        type_of(schema),
        json.dumps(schema["default"]) if "default" in schema else "",
        "yes" if required else "no",
        json.dumps(schema["enum"], separators=(",", ":")) if "enum" in schema else "",
        "; ".join(validations_of(schema)),
    )


def type_of(schema: dict) -> str:
    if schema.get("x-kubernetes-int-or-string"):
        return "int-or-string"
    if "type" not in schema:
        return "any"
    if schema["type"] == "array":
        return f"array<{type_of(schema['items'])}>"
    if "additionalProperties" in schema:
        return f"map<string,{type_of(schema['additionalProperties'])}>"
    form = f"({schema['format']})" if "format" in schema else ""
    return schema["type"] + form + ("?" if schema.get("nullable") else "")


def validations_of(schema: dict) -> Iterator[str]:
    for keyword in ("minimum", "maximum", "minLength", "maxLength", "pattern", "minItems", "minProperties"):
        if keyword in schema:
            yield f"{keyword}={json.dumps(schema[keyword])}"
    for keyword in ("list-type", "map-type", "preserve-unknown-fields"):
        if f"x-kubernetes-{keyword}" in schema:
            yield f"{keyword}={schema[f'x-kubernetes-{keyword}']}"

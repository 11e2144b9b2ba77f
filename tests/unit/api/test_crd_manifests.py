"""The generated CRDs against the reference's description of scope, names, versions, status and printer columns."""

import os
import re
from pathlib import Path

import pytest
import yaml

from koord.api.crds import file_name, manifests
from koord.api.kinds import CUSTOM
from tools.crds import FOLDER, generated

DESCRIPTION = Path(os.environ.get("KOORD_SPEC", "../shared/spec")) / "api.md"
CRDS = {manifest["spec"]["names"]["kind"]: manifest for manifest in manifests(CUSTOM)}
SIGS_GROUPS = ("scheduling.sigs.k8s.io", "topology.node.k8s.io")

described = pytest.mark.skipif(not DESCRIPTION.exists(), reason=f"the description is not at {DESCRIPTION} (KOORD_SPEC)")


def section(title):
    text = DESCRIPTION.read_text()
    return text[text.index(title) :]


def table(text, first_column):
    """The rows of the first markdown table whose first column has the title, each a dict by column."""
    lines = text[text.index(f"\n| {first_column} |") + 1 :].splitlines()
    header, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|"))
    return [dict(zip(header, row, strict=True)) for row in rows[: next_break(lines)]]


def next_break(lines):
    return next(index for index, line in enumerate(lines) if not line.startswith("|")) - 2


@described
def test_group_version_scope_names_and_status_subresource_are_the_described_ones():
    rows = table(section("## 16. Custom resources"), "Group / version")
    assert {row["Kind"] for row in rows} == CRDS.keys()
    for row in rows:
        spec = CRDS[row["Kind"]]["spec"]
        group = re.search(r"`([^/`]+)/", row["Group / version"])[1]
        versions = re.findall(r"`(?:[^/`]+/)?(v\w+)` ?(?:\(([^)]*)\))?", row["Group / version"])
        assert spec["group"] == group
        assert [version["name"] for version in spec["versions"]] == [name for name, _ in versions]
        for version, (_, said) in zip(spec["versions"], versions, strict=True):
            said = said or "served, stored"
            assert version["served"] == ("served" in said)
            assert version["storage"] == ("stored" in said)
            assert ("status" in version.get("subresources", {})) == (row["Status subresource"] == "yes")
        names = spec["names"]
        assert names["plural"] == row["Plural"]
        assert names["singular"] == row["Kind"].lower()
        assert names["listKind"] == row["Kind"] + "List"
        assert names.get("shortNames", []) == [name for name in [row["Short"]] if name != "-"]
        assert spec["scope"] == row["Scope"]
        assert CRDS[row["Kind"]]["metadata"]["name"] == f"{names['plural']}.{group}"


@described
def test_printer_columns_are_the_described_ones_in_their_order():
    rows = {row["Kind"]: row["Columns (name: type JSONPath)"] for row in table(section("\nPrinter columns:"), "Kind")}
    default = rows.pop("all others")
    assert default.startswith("none declared")
    for kind, manifest in CRDS.items():
        for version in manifest["spec"]["versions"]:
            columns = [
                f"{column['name']}: {column['type']} {column['jsonPath']}"
                for column in version.get("additionalPrinterColumns", [])
            ]
            assert "; ".join(columns) == rows.get(kind, "")


def test_only_the_sigs_groups_carry_the_approval_annotation_that_servers_want_of_them():
    for manifest in CRDS.values():
        annotations = manifest["metadata"].get("annotations", {})
        expected = {"api-approved.kubernetes.io"} if manifest["spec"]["group"] in SIGS_GROUPS else set()
        assert annotations.keys() == expected


def test_exactly_one_version_of_each_kind_is_stored():
    for manifest in CRDS.values():
        assert sum(version["storage"] for version in manifest["spec"]["versions"]) == 1


def test_the_files_in_deploy_are_as_generated():
    assert {path.name: path.read_text() for path in FOLDER.glob("*.yaml")} == generated()


def test_a_file_reads_back_as_the_manifest():
    for manifest in CRDS.values():
        assert yaml.safe_load((FOLDER / file_name(manifest)).read_text()) == manifest

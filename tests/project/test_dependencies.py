"""Every dependency comes from its public registry, pinned by hash, under a licence that we may ship with."""

import json
import re
import subprocess
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ["runtime.lock", "dev.lock"]

# SPDX names, and what older packages write instead of one.
PERMISSIVE = {
    "0BSD", "Apache 2.0", "Apache Software License", "Apache-2.0", "BSD 2-Clause License", "BSD License",
    "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "ISC License", "MIT", "MIT License", "MIT-0",
    "PSF-2.0", "Python Software Foundation License", "Unicode-3.0", "Unlicense", "Zlib",
}  # fmt: skip
# File-level copyleft: shipped unchanged, with its notice.
WEAK_COPYLEFT = {"MPL-2.0", "Mozilla Public License 2.0 (MPL 2.0)"}
ALLOWED = PERMISSIVE | WEAK_COPYLEFT


def allowed(expression: str) -> bool:
    """True when every AND part of an SPDX-like expression offers an allowed licence."""
    expression = expression.replace("/", " OR ").replace(" WITH LLVM-exception", "").strip()
    while match := re.fullmatch(r"\((.*)\)", expression):
        if ")" in match[1].split("(")[0]:
            break
        expression = match[1]
    parts = re.split(r"\s+AND\s+(?![^(]*\))", expression)
    if len(parts) > 1:
        return all(allowed(part) for part in parts)
    choices = re.split(r"\s+OR\s+(?![^(]*\))", expression)
    if len(choices) > 1:
        return any(allowed(choice) for choice in choices)
    return expression in ALLOWED


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MIT OR GPL-3.0-only", True),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("MIT AND GPL-2.0-only", False),
        ("MIT/Apache-2.0", True),
        ("", False),
    ],
)
def test_licence_expressions_are_read_right(expression: str, answer: bool):
    assert allowed(expression) is answer


def locked(lock: str) -> Iterator[tuple[str, str]]:
    """Requirement and the lines that belong to it."""
    text = (ROOT / "requirements" / lock).read_text()
    for match in re.finditer(r"^(\S+==\S+)((?:.*\\\n)+.*)", text, re.MULTILINE):
        yield match[1], match[2]


@pytest.mark.parametrize("lock", LOCKS)
def test_python_locks_pin_everything_by_hash_and_name_no_host(lock: str):
    text = (ROOT / "requirements" / lock).read_text()
    pinned = list(locked(lock))
    assert len(pinned) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE)) > 10
    assert [name for name, rest in pinned if "--hash=sha256:" not in rest] == []
    assert "://" not in text


@pytest.mark.parametrize("lock", LOCKS)
def test_no_locked_package_ships_a_top_level_name_of_ours(lock: str):
    ours = {"koord", "koordlet", "scheduler", "manager", "descheduler", "runtimeproxy", "tests", "bench", "tools"}
    assert ours.isdisjoint(re.split("[=\\[]", name)[0] for name, _ in locked(lock))


@pytest.mark.parametrize("lock", LOCKS)
def test_python_dependencies_have_an_allowed_licence(lock: str):
    refused: dict[str, list[str]] = {}
    for requirement, _ in locked(lock):
        name = re.split("[=\\[]", requirement)[0]
        try:
            about = metadata(name)
        except PackageNotFoundError:
            continue  # for another platform
        classifiers = [
            line.split("::")[-1].strip() for line in about.get_all("Classifier") or [] if "License ::" in line
        ]
        stated = [about.get("License-Expression") or about.get("License") or "", *classifiers]
        if not any(allowed(licence) for licence in stated):
            refused[name] = stated
    assert refused == {}


def test_crates_come_from_one_registry_under_an_allowed_licence():
    output = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    packages = json.loads(output)["packages"]
    sources = {package["source"] for package in packages} - {None}  # None: a crate of ours
    assert len(sources) == 1
    assert sources.pop().startswith("registry+")
    assert {package["name"]: package["license"] for package in packages if not allowed(package["license"] or "")} == {}

"""The reader in a process with fewer rights, and a table of what it could do with them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bench.harness.cgroups import Tree, machine_hierarchies
from tools.capability_table import CAPABILITY, row
from tools.capability_table import pytest_terminal_summary as pytest_terminal_summary

HERE = Path(__file__).parent
KOORD = str(Path(sys.executable).with_name("koord"))


@dataclass(frozen=True)
class Reading:
    """What the reader and the doctor reported under the same rights."""

    rows: int
    """Of the reader's second frame."""
    cpu_cores: float
    tiers: set[str]
    """The tiers that serve something."""
    reasons: str
    """Why nothing better serves."""
    missing: list[str]
    """What the doctor misses, each as `what: why`."""


@pytest.fixture(autouse=True)
def cgroup() -> Generator[Tree]:
    """A cgroup besides the root, which lacks most files: a guest has no other."""
    if os.geteuid() != 0:
        pytest.skip("making cgroups and taking rights away needs root")
    with Tree(machine_hierarchies(), f"koord-test-capability-{os.getpid()}") as tree:
        yield tree


@pytest.fixture
def read(record_property) -> Callable[..., Reading]:
    """Run the reader behind a command that takes rights away from it, and record what served."""

    def run(scenario: str, *prefix: str) -> Reading:
        report = answer(*prefix, sys.executable, str(HERE / "reader.py"))
        diagnosis = answer(*prefix, KOORD, "doctor", "--output", "json")
        assert diagnosis["ok"]
        missing = [f"{piece['what']}: {piece['why']}" for piece in diagnosis["missing"]]
        tiers = {source["tier"] for source in report["sources"]} - {"none"}
        reasons = "; ".join(sorted({source["reason"] for source in report["sources"] if source["reason"]}))
        best = next((tier for tier in ("bpf-css", "bpf-iter", "files") if tier in tiers), "-")
        record_property(CAPABILITY, row(scenario, best, "" if best.startswith("bpf") else reasons))
        return Reading(report["rows"], report["cpu_cores"], tiers, reasons, missing)

    return run


def answer(*command: str) -> dict[str, Any]:
    """A command's JSON; a failure of the command is a failure of the test."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)

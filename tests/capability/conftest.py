"""The reader in a process with fewer rights, and a table of what it could do with them."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tools.capability_table import CAPABILITY, row
from tools.capability_table import pytest_terminal_summary as pytest_terminal_summary

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Reading:
    """What the reader reported: rows of its second frame, the tiers that serve, the reasons for what does not."""

    rows: int
    cpu_cores: float
    tiers: set[str]
    reasons: str


@pytest.fixture
def read(record_property) -> Callable[..., Reading]:
    """Run the reader behind a command that takes rights away from it, and record what served."""

    def run(scenario: str, *prefix: str) -> Reading:
        command = [*prefix, sys.executable, str(HERE / "reader.py")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        tiers = {source["tier"] for source in report["sources"]} - {"none"}
        reasons = "; ".join(sorted({source["reason"] for source in report["sources"] if source["reason"]}))
        best = next((tier for tier in ("bpf-css", "bpf-iter", "files") if tier in tiers), "-")
        record_property(CAPABILITY, row(scenario, best, "" if best.startswith("bpf") else reasons))
        return Reading(report["rows"], report["cpu_cores"], tiers, reasons)

    return run

"""`koord doctor` on this machine."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent
STATS = Path("/proc/sys/kernel/bpf_stats_enabled")


def doctor(*arguments):
    return subprocess.run(
        [f"{BIN}/koord", "doctor", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def test_report_names_kernel_mode_sources_and_remedies():
    done = doctor("--output", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report.keys() == {"ok", "kernel", "cgroup", "signals", "missing"}
    assert report["ok"] is True
    assert report["kernel"] == os.uname().release
    assert report["cgroup"] in ("v1", "v2", "hybrid")
    assert {signal["name"] for signal in report["signals"]} >= {"cpu_usage", "memory"}
    for signal in report["signals"]:
        assert signal.keys() >= {"name", "tier", "source", "reason"}
        assert signal["source"] or signal["reason"]
    assert all(missing["what"] and missing["why"] and missing["remedy"] for missing in report["missing"])


def test_text_has_a_section_for_signals():
    done = doctor()
    assert done.returncode == 0
    assert done.stdout.startswith(f"kernel {os.uname().release}")
    assert "SIGNALS" in done.stdout


def open_files(pid: int) -> set[str]:
    """What the process's descriptors refer to; one that is closed meanwhile is left out."""
    targets: set[str] = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            targets.add(str(link.readlink()))
    return targets


def test_cost_is_measured_for_a_short_while_only(make_agent):
    agent = make_agent().wait_ready()
    before = STATS.read_text() if STATS.exists() else None
    done = doctor("--cost", "--seconds", "1", "--output", "json")
    report = json.loads(done.stdout)
    if done.returncode == 3:
        assert "does not count" in done.stderr
        assert "costs" not in report
    else:
        assert all(cost["cpu_share"] < 0.5 for cost in report["costs"])
    assert (STATS.read_text() if STATS.exists() else None) == before
    assert "anon_inode:bpf-stats" not in open_files(agent.process.pid)

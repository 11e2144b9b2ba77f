"""The doctor's report from what was found."""

import pytest

from koord.cli.diagnosis.plain import cost_lines, report_text
from koord.cli.diagnosis.report import Missing, Signal, cgroup_mode, cost, make_report

GOOD = [
    Signal("cpu_usage", "/sys/fs/cgroup", "bpf-css", "cgroup.rstat", ""),
    Signal("memory", "/sys/fs/cgroup", "files", "memory.current", "BPF is not allowed"),
    Signal("tasks", "/sys/fs/cgroup", "none", "", "pids.current: No such file"),
]


@pytest.mark.parametrize(
    ("filesystems", "mode"),
    [(["ext4"], "none"), (["cgroup"], "v1"), (["cgroup2"], "v2"), (["cgroup", "cgroup", "cgroup2"], "hybrid")],
)
def test_mode_follows_from_what_is_mounted(filesystems, mode):
    assert cgroup_mode(filesystems) == mode


def test_signal_without_a_source_is_missing_with_its_reason_and_a_remedy():
    report = make_report("6.18", "v2", GOOD, [])
    missing = {it.what: it for it in report.missing}
    assert report.ok
    assert missing.keys() == {"throttling", "psi", "memory_stat", "tasks", "oom"}
    assert missing["tasks"].why == "pids.current: No such file"
    assert missing["psi"].why == "no hierarchy here has it"
    assert all(it.remedy for it in report.missing)


def test_signal_that_one_hierarchy_serves_is_not_missing_although_another_does_not():
    signals = [*GOOD, Signal("tasks", "/sys/fs/cgroup/pids", "files", "pids.current", "")]
    assert "tasks" not in {it.what for it in make_report("6.18", "hybrid", signals, []).missing}


def test_machine_without_cpu_use_is_not_ok():
    assert not make_report("6.18", "v2", GOOD[1:], []).ok


def test_missing_pieces_of_bpf_are_told_with_cause_and_remedy():
    piece = Missing("BPF walk_css", "CAP_BPF missing", "grant CAP_BPF and CAP_PERFMON")
    text = report_text(make_report("6.18", "v2", GOOD, [piece]))
    assert "why:    CAP_BPF missing" in text
    assert "remedy: grant CAP_BPF and CAP_PERFMON" in text


def test_cost_is_per_run_and_as_a_share_of_one_cpu():
    measured = cost("koord_walk_css", 7, 4, 2_000_000, 2.0)
    assert (measured.ns_per_run, measured.cpu_share) == (500_000, 0.001)
    assert cost("x", 8, 0, 0, 2.0).ns_per_run is None
    assert "0.1000%" in cost_lines([measured])[1]
    assert "is koordlet running" in cost_lines([])[0]

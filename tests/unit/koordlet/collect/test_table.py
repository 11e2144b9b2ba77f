"""Rows that people see, from a frame."""

from types import SimpleNamespace

from koordlet.collect.frame import RowSources
from koordlet.collect.groups import GroupIndex
from koordlet.collect.node import NodeSample
from koordlet.collect.table import group_rows, node_row
from koordlet.procfs.meminfo import NodeMemory

UID = "7712555c-ce62-454a-9e18-9ff0217b8941"
POD = f"/kubepods/burstable/pod{UID}"
SOURCES = [SimpleNamespace(group="cpu_usage", tier="bpf-css"), SimpleNamespace(group="memory", tier="files"),
           SimpleNamespace(group="tasks", tier="none")]  # fmt: skip


def rows_of(frame):
    index = GroupIndex()
    index.apply(frame.appeared, ())
    return group_rows(frame, index, SOURCES, RowSources())


def test_row_carries_identity_and_values(table_frame):
    frame = table_frame(
        [POD],
        {
            "cpu_cores": [0.25],
            "quota_us": [25000],
            "period_us": [100000],
            "throttled_ratio": [0.5],
            "memory_limit_bytes": [1 << 30],
        },
        sources=[1 | 2 << 24],
    )
    (row,) = rows_of(frame)
    assert (row.cgroup, row.kind, row.name, row.qos, row.pod_uid) == (POD, "pod", UID, "Burstable", UID)
    assert (row.cpu_cores, row.cpu_limit_cores, row.throttled_ratio) == (0.25, 0.25, 0.5)
    assert row.memory_limit_bytes == 1 << 30
    assert row.source == "bpf-css+files"
    assert row.sources == {"cpu_usage": "bpf-css", "memory": "files"}


def test_value_without_a_source_is_none_and_never_zero(table_frame):
    (row,) = rows_of(table_frame(["/x"]))
    assert (row.cpu_cores, row.throttled_ratio, row.psi_io_full, row.memory_bytes, row.source) == (None,) * 5


def test_no_quota_and_no_memory_limit_are_none(table_frame):
    (row,) = rows_of(table_frame(["/x"], {"quota_us": [-1], "period_us": [100000], "memory_limit_bytes": [-1]}))
    assert row.cpu_limit_cores is None
    assert row.memory_limit_bytes is None


def test_group_of_fields_with_tier_none_is_no_source(table_frame):
    (row,) = rows_of(table_frame(["/x"], sources=[3 << 40]))
    assert row.sources == {}


def test_removed_cgroup_has_no_row(table_frame):
    frame = table_frame(["/a", "/b"], gone=[1])
    assert [row.cgroup for row in rows_of(frame)] == ["/b"]


def test_node_row_takes_pressure_from_the_root(table_frame):
    frame = table_frame(["/", "/a"], {"psi_cpu_some_ratio": [0.3, 0.9]})
    rows = rows_of(frame)
    node = node_row("n", 2, NodeSample(1.5, NodeMemory(100, 40, 60)), frame, rows, 1.0)
    assert (node.psi_cpu_some, node.cpu_cores, node.memory_used_bytes, node.groups) == (0.3, 1.5, 40, 2)

"""What people see: one row per cgroup and one for the node, taken from a frame."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from koordlet.collect.frame import Column, FrameView, RowSources, SourceView
from koordlet.collect.groups import Group, GroupIndex
from koordlet.collect.node import NodeSample


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One cgroup. None: no source for this row, or no previous sample; ratios are 0 to 1."""

    cgroup: str
    kind: str
    name: str
    qos: str | None
    """Kubernetes QoS class as the path tells it."""
    cpu_cores: float | None
    cpu_limit_cores: float | None
    """Quota / period; None without a quota too."""
    throttled_ratio: float | None
    psi_cpu_some: float | None
    psi_cpu_full: float | None
    psi_memory_some: float | None
    psi_memory_full: float | None
    psi_io_some: float | None
    psi_io_full: float | None
    memory_bytes: float | None
    """Charged, page cache included."""
    memory_without_page_cache_bytes: float | None
    memory_limit_bytes: float | None
    """None without a limit too."""
    tasks: float | None
    oom_kills: float | None
    pod_uid: str | None
    container_id: str | None
    runtime: str | None
    source: str | None
    """Tiers that serve this row, the CPU use's first, joined by `+`."""
    sources: dict[str, str]
    """Group of fields -> tier."""


@dataclass(frozen=True, slots=True)
class NodeRow:
    """The node itself."""

    name: str
    cpus: int
    cpu_cores: float | None
    memory_total_bytes: int
    memory_used_bytes: int
    """MemTotal - MemAvailable."""
    psi_cpu_some: float | None
    psi_memory_full: float | None
    psi_io_full: float | None
    groups: int
    interval_s: float
    at_ms: int
    """Unix time of the snapshot."""
    collect_ms: float
    """How long the snapshot took."""


Columns = Callable[[str], Sequence[float | None]]
"""Values of a rate column of the frame by the column's name, in row order."""


def frame_columns(frame: FrameView) -> Columns:
    """The frame's own rates: since the frame before it."""

    def column(name: str) -> list[float | None]:
        return known_values(getattr(frame, name))

    return column


def known_values(column: Column) -> list[float | None]:
    """The column with None for NaN."""
    return [None if value != value else value for value in column]


def group_rows(
    frame: FrameView,
    index: GroupIndex,
    sources: Sequence[SourceView],
    decoder: RowSources,
    rates: Columns | None = None,
) -> list[GroupRow]:
    """A row for each cgroup of the frame that is still there, in the frame's order."""
    rates = rates or frame_columns(frame)
    gone = set(frame.gone)
    groups = (None if key in gone else index.get(key) for key in frame.key)
    return [
        _row(group, values, decoder.of(word, sources))
        for group, word, values in zip(groups, frame.source, _values(frame, rates), strict=True)
        if group is not None
    ]


def _values(frame: FrameView, rates: Columns) -> list[tuple[float | None, ...]]:
    columns = [
        rates("cpu_cores"),
        known_values(frame.quota_us),
        known_values(frame.period_us),
        rates("throttled_ratio"),
        rates("psi_cpu_some_ratio"),
        rates("psi_cpu_full_ratio"),
        rates("psi_memory_some_ratio"),
        rates("psi_memory_full_ratio"),
        rates("psi_io_some_ratio"),
        rates("psi_io_full_ratio"),
        known_values(frame.memory_bytes),
        known_values(frame.memory_without_page_cache_bytes),
        known_values(frame.memory_limit_bytes),
        known_values(frame.tasks),
        known_values(frame.oom_kills),
    ]
    return list(zip(*columns, strict=True))


def _row(group: Group, values: tuple[float | None, ...], tiers: dict[str, str]) -> GroupRow:
    cpu, quota, period, throttled, cs, cf, ms, mf, ios, iof, memory, anon, limit, tasks, oom = values
    what = group.identity
    return GroupRow(
        cgroup=group.path,
        kind=what.kind,
        name=what.name,
        qos=what.kube_qos,
        cpu_cores=cpu,
        cpu_limit_cores=quota / period if quota is not None and period and quota > 0 else None,
        throttled_ratio=throttled,
        psi_cpu_some=cs,
        psi_cpu_full=cf,
        psi_memory_some=ms,
        psi_memory_full=mf,
        psi_io_some=ios,
        psi_io_full=iof,
        memory_bytes=memory,
        memory_without_page_cache_bytes=anon,
        memory_limit_bytes=limit if limit is not None and limit >= 0 else None,
        tasks=tasks,
        oom_kills=oom,
        pod_uid=what.pod_uid or None,
        container_id=what.container_id or None,
        runtime=what.runtime or None,
        source="+".join(dict.fromkeys(tiers.values())) or None,
        sources=tiers,
    )


def node_row(
    name: str, cpus: int, sample: NodeSample, frame: FrameView, rows: Sequence[GroupRow], interval_s: float
) -> NodeRow:
    """The node's row; its pressure is that of the root cgroup."""
    root = next((row for row in rows if row.kind == "root"), None)
    return NodeRow(
        name=name,
        cpus=cpus,
        cpu_cores=sample.cpu_cores,
        memory_total_bytes=sample.memory.total,
        memory_used_bytes=sample.memory.used,
        psi_cpu_some=root.psi_cpu_some if root else None,
        psi_memory_full=root.psi_memory_full if root else None,
        psi_io_full=root.psi_io_full if root else None,
        groups=len(rows),
        interval_s=round(interval_s, 3),
        at_ms=frame.wall_ms,
        collect_ms=frame.duration_ns / 1e6,
    )

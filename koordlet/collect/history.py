"""Which samples are kept, under which numbers, for how long."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from koord._core import Store, Window
from koordlet.collect.frame import FrameView
from koordlet.collect.node import NodeSample

NODE_KEY = 0
"""Entity key of the node; no cgroup has it."""

_SAMPLE_BYTES = 12
_NODE_SERIES = 256  # a few per NUMA node
_GROUP_SERIES = 6 * 8192  # bounds memory, not correctness: what has no room is counted as rejected


class Metric(IntEnum):
    """Numbers of the series; names are Koordinator's where it has one."""

    NODE_CPU_USAGE = 1
    NODE_MEMORY_USAGE = 2
    NODE_MEMORY_USAGE_WITH_PAGE_CACHE = 3
    NODE_NUMA_CPU_USAGE = 4
    NODE_NUMA_MEMORY_USAGE = 5
    GROUP_CPU_USAGE = 16
    GROUP_MEMORY_USAGE = 17
    GROUP_MEMORY_USAGE_WITH_PAGE_CACHE = 18
    GROUP_CPU_THROTTLED = 19
    GROUP_PSI_CPU_SOME = 20
    GROUP_PSI_MEMORY_FULL = 21
    GROUP_PSI_IO_FULL = 22


WINDOWED = {
    "cpu_cores": Metric.GROUP_CPU_USAGE,
    "throttled_ratio": Metric.GROUP_CPU_THROTTLED,
    "psi_cpu_some_ratio": Metric.GROUP_PSI_CPU_SOME,
    "psi_memory_full_ratio": Metric.GROUP_PSI_MEMORY_FULL,
    "psi_io_full_ratio": Metric.GROUP_PSI_IO_FULL,
}
"""Rate columns of a frame that are kept."""


@dataclass(frozen=True, slots=True)
class HistorySize:
    """What the stores hold, for metrics and /debug/state."""

    series: int
    memory_bytes: int
    rejected: int


class History:
    """Samples of the node and of cgroups, appended in bulk; series of removed cgroups go."""

    def __init__(self, node_window_s: float, group_window_s: float, interval_s: float, with_page_cache: bool) -> None:
        self._node = _store(node_window_s, interval_s, _NODE_SERIES)
        self._groups = _store(group_window_s, interval_s, _GROUP_SERIES)
        self._with_page_cache = with_page_cache

    def append_node(self, ts_ms: int, sample: NodeSample) -> None:
        """One sample of the node; nothing while its CPU use has no previous sample."""
        if sample.cpu_cores is None:
            return
        self._node.append_one(Metric.NODE_CPU_USAGE, ts_ms, NODE_KEY, sample.cpu_cores)
        self._node.append_one(Metric.NODE_MEMORY_USAGE, ts_ms, NODE_KEY, sample.memory.used)
        if self._with_page_cache:
            used = sample.memory.used_with_page_cache
            self._node.append_one(Metric.NODE_MEMORY_USAGE_WITH_PAGE_CACHE, ts_ms, NODE_KEY, used)
        for node, cores in sample.numa_cpu_cores.items():
            self._node.append_one(Metric.NODE_NUMA_CPU_USAGE, ts_ms, node, cores)
        for node, memory in sample.numa_memory.items():
            self._node.append_one(Metric.NODE_NUMA_MEMORY_USAGE, ts_ms, node, memory.used)

    def append_frame(self, frame: FrameView) -> None:
        """One sample of every cgroup that has a value; forgets those that are gone."""
        ts_ms, keys = frame.wall_ms, frame.key
        for name, metric in WINDOWED.items():
            self._groups.append(metric, ts_ms, keys, getattr(frame, name))
        self._groups.append(Metric.GROUP_MEMORY_USAGE, ts_ms, keys, frame.memory_without_page_cache_bytes)
        if self._with_page_cache:
            with_cache = frame.memory_with_page_cache_bytes
            self._groups.append(Metric.GROUP_MEMORY_USAGE_WITH_PAGE_CACHE, ts_ms, keys, with_cache)
        if frame.gone:
            self._groups.drop(array("Q", frame.gone))

    def node_window(self, metric: Metric, start_ms: int, end_ms: int) -> Window | None:
        """Aggregates of a node series; None without a sample in the range."""
        return self._node.query(metric, NODE_KEY, start_ms, end_ms)

    def group_means(self, metric: Metric, frame: FrameView, start_ms: int, end_ms: int) -> Sequence[float | None]:
        """Mean of each row's series over the range, in the frame's order; None without a sample."""
        windows = self._groups.query_many(metric, frame.key, start_ms, end_ms)
        return [None if window is None else window.avg for window in windows]

    def size(self) -> HistorySize:
        """What is held now."""
        return HistorySize(
            self._node.series + self._groups.series,
            self._node.memory_bytes + self._groups.memory_bytes,
            self._node.rejected + self._groups.rejected,
        )


def _store(window_s: float, interval_s: float, series: int) -> Store:
    samples = int(window_s / interval_s) + 1
    return Store(retention_ms=int(window_s * 1000), max_bytes=samples * series * _SAMPLE_BYTES)

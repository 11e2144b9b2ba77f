"""Metrics of cgroups: one family per signal, one sample per cgroup that is there now."""

from dataclasses import dataclass

from koordlet.collect.frame import FrameView
from koordlet.collect.groups import Group, GroupIndex
from koordlet.serve.exposition import Exposition, MetricType, labels


@dataclass(frozen=True, slots=True)
class Family:
    """A family that is a column of the frame."""

    name: str
    kind: MetricType
    column: str
    scale: float
    help: str


_NS = 1e-9

FAMILIES = [
    Family("koordlet_ext_cgroup_cpu_cores", "gauge", "cpu_cores", 1, "CPU use over the last interval, in cores."),
    Family("koordlet_ext_cgroup_cpu_seconds_total", "counter", "usage_ns", _NS, "CPU time, descendants included."),
    Family(
        "koordlet_ext_cgroup_gone_cpu_seconds_total",
        "counter",
        "gone_ns",
        _NS,
        "CPU time of children that were removed.",
    ),
    Family(
        "koordlet_ext_cgroup_throttled_ratio", "gauge", "throttled_ratio", 1, "Throttled periods / periods, 0 to 1."
    ),
    Family(
        "koordlet_ext_cgroup_throttled_seconds_total",
        "counter",
        "throttled_ns",
        _NS,
        "Time throttled, summed over CPUs.",
    ),
    Family("koordlet_ext_cgroup_memory_bytes", "gauge", "memory_bytes", 1, "Memory charged, page cache included."),
    Family(
        "koordlet_ext_cgroup_memory_without_page_cache_bytes",
        "gauge",
        "memory_without_page_cache_bytes",
        1,
        "Anonymous and unevictable memory.",
    ),
    Family("koordlet_ext_cgroup_oom_kills_total", "counter", "oom_kills", 1, "Processes killed by the OOM killer."),
    Family("koordlet_ext_cgroup_tasks", "gauge", "tasks", 1, "Threads, those of descendants included."),
]

_PRESSURE = [
    (resource, degree, f"psi_{resource}_{degree}_ns")
    for resource in ("cpu", "memory", "io")
    for degree in ("some", "full")
]
_PRESSURE_NAME = "koordlet_ext_cgroup_pressure_seconds_total"


class GroupFamilies:
    """Writes the metrics of cgroups; label texts are made once per cgroup."""

    def __init__(self, node: str) -> None:
        self._node = node
        self._labels: dict[int, str] = {}

    def write(self, out: Exposition, frame: FrameView, index: GroupIndex) -> None:
        """Append every family. Costs one pass over each column."""
        rows = self._rows(frame, index)
        for family in FAMILIES:
            out.family(family.name, family.kind, family.help)
            out.column(family.name, rows, list(getattr(frame, family.column)), family.scale)
        out.family(_PRESSURE_NAME, "counter", "Time in which some or every task waited for the resource.")
        for resource, degree, column in _PRESSURE:
            more = labels({"resource": resource, "degree": degree})
            values = list(getattr(frame, column))
            out.column(_PRESSURE_NAME, [(row, f"{text},{more}") for row, text in rows], values, _NS)

    def _rows(self, frame: FrameView, index: GroupIndex) -> list[tuple[int, str]]:
        gone = set(frame.gone)
        before, self._labels = self._labels, {}
        rows: list[tuple[int, str]] = []
        for row, key in enumerate(frame.key):
            group = None if key in gone else index.get(key)
            if group is not None:
                text = before.get(key) or self._label_text(group)
                self._labels[key] = text
                rows.append((row, text))
        return rows

    def _label_text(self, group: Group) -> str:
        what = group.identity
        return labels(
            {
                "node": self._node,
                "cgroup": group.path,
                "kind": what.kind,
                "kube_qos": what.kube_qos or "",
                "pod_uid": what.pod_uid,
                "container_id": what.container_id,
            }
        )

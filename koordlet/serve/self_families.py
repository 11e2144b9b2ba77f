"""Metrics of the agent itself: CPU, memory, descriptors, loop lag, errors."""

import os
import resource
import time
from collections.abc import Sequence
from pathlib import Path

from koord.supervise import Supervisor
from koordlet.collect.frame import SourceView
from koordlet.collect.observation import Observation
from koordlet.serve.exposition import Exposition, labels

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_SELF = Path("/proc/self")
START_TIME_S = time.time()


def write_process(out: Exposition) -> None:
    """The standard process_* metrics."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    virtual_pages, resident_pages = (int(field) for field in (_SELF / "statm").read_bytes().split()[:2])
    soft_limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    out.single("process_cpu_seconds_total", "counter", "CPU time of the agent.", "", usage.ru_utime + usage.ru_stime)
    out.single("process_resident_memory_bytes", "gauge", "Resident memory.", "", resident_pages * _PAGE_BYTES)
    out.single("process_virtual_memory_bytes", "gauge", "Virtual memory.", "", virtual_pages * _PAGE_BYTES)
    out.single("process_open_fds", "gauge", "Open file descriptors.", "", len(os.listdir(_SELF / "fd")))
    out.single("process_max_fds", "gauge", "Limit of open file descriptors.", "", soft_limit)
    out.single("process_start_time_seconds", "gauge", "Unix time of the start.", "", START_TIME_S)


def write_agent(out: Exposition, observation: Observation, supervisor: Supervisor) -> None:
    """Loop lag, missed rounds, store, errors by kind."""
    here = labels({"node": observation.node_name})
    size, pace, frame = observation.history.size(), observation.pace, observation.frame
    out.single(
        "koordlet_start_time", "gauge", "Unix time of the start, in whole seconds.", here, float(int(START_TIME_S))
    )
    out.single("koordlet_ext_loop_lag_seconds", "gauge", "How late the newest round began.", here, pace.lag_s)
    out.single("koordlet_ext_loop_max_lag_seconds", "gauge", "How late any round began.", here, pace.max_lag_s)
    out.single("koordlet_ext_missed_rounds_total", "counter", "Rounds left out.", here, pace.missed)
    out.single("koordlet_ext_store_series", "gauge", "Time series held in memory.", here, size.series)
    out.single("koordlet_ext_store_bytes", "gauge", "Memory of the time series.", here, size.memory_bytes)
    out.single("koordlet_ext_store_rejected_total", "counter", "Samples without room.", here, size.rejected)
    out.single("koordlet_ext_cgroups", "gauge", "Cgroups known now.", here, len(observation.groups))
    if frame is not None:
        seconds = frame.duration_ns / 1e9
        out.single("koordlet_ext_snapshot_seconds", "gauge", "How long the newest snapshot took.", here, seconds)
    out.family("koordlet_ext_errors_total", "counter", "Failures of parts and collectors by kind.")
    kinds = dict(supervisor.errors_by_kind)
    for kind, count in observation.collectors.errors_by_kind.items():
        kinds[kind] = kinds.get(kind, 0) + count
    for kind, count in sorted(kinds.items()):
        out.sample("koordlet_ext_errors_total", labels({"node": observation.node_name, "kind": kind}), count)


def write_sources(out: Exposition, node: str, sources: Sequence[SourceView]) -> None:
    """Which tier serves which group of fields in which hierarchy."""
    out.family("koordlet_ext_collector_source", "gauge", "1 for the tier that serves a group of fields.")
    for source in sources:
        where = {"node": node, "group": source.group, "hierarchy": source.hierarchy, "tier": source.tier}
        out.sample("koordlet_ext_collector_source", labels(where), 1)

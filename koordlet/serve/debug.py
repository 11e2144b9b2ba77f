"""Health, readiness and the whole state as JSON values."""

import time
from dataclasses import asdict
from typing import Any

import koord._core as core
from koord.supervise import Supervisor
from koordlet.collect.loops import CGROUPS
from koordlet.collect.observation import Observation

DEGRADED_START_S = 30.0
"""After this long a node without all of its collectors counts as ready if its cgroups are read."""


def health(supervisor: Supervisor) -> tuple[bool, dict[str, Any]]:
    """Whether every part does its work, and how each is."""
    ok = supervisor.healthy()
    return ok, {"ok": ok, "parts": {name: asdict(part) for name, part in supervisor.status.items()}}


def readiness(observation: Observation, since_start_s: float) -> tuple[bool, dict[str, Any]]:
    """Whether values can be relied on: all collectors ready, or the cgroups' one once the start took too long."""
    collectors = observation.collectors
    missing = sorted(name for name, status in collectors.status.items() if not status.ready)
    ok = not missing or (since_start_s >= DEGRADED_START_S and CGROUPS not in missing)
    return ok, {"ok": ok, "degraded": ok and bool(missing), "not_ready": missing}


def state(observation: Observation, supervisor: Supervisor) -> dict[str, Any]:
    """Everything the agent knows about itself and the node, the cgroups only counted."""
    now_s = time.monotonic()
    frame = observation.frame
    return {
        "node_name": observation.node_name,
        "version": core.__version__,
        "parts": {name: asdict(part) for name, part in supervisor.status.items()},
        "collectors": {
            name: asdict(status) | {"age_s": None if status.last_success_s is None else now_s - status.last_success_s}
            for name, status in observation.collectors.status.items()
        },
        "pace": asdict(observation.pace),
        "history": asdict(observation.history.size()),
        "snapshot": None
        if frame is None
        else {"at_ms": frame.wall_ms, "rows": len(frame), "took_ms": frame.duration_ns / 1e6},
        "cgroups": observation.groups.count_by_kind(),
        "sources": [
            {"group": it.group, "hierarchy": it.hierarchy, "tier": it.tier, "source": it.source, "reason": it.reason}
            for it in observation.sources
        ],
        "node": None if observation.node is None else asdict(observation.node),
        "node_info": None if observation.node_info is None else asdict(observation.node_info),
        "storage": None if observation.storage is None else asdict(observation.storage),
    }

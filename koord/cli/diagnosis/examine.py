"""Asks the kernel, by way of the core."""

import os
from pathlib import Path

from koord._core import SnapshotError, Snapshotter, capabilities, program_costs
from koord.cli.diagnosis.report import Cost, Missing, Report, Signal, cgroup_mode, cost, make_report
from koordlet.descriptors import WANTED, raise_descriptor_limit
from koordlet.procfs.mountinfo import parse_mountinfo


class ExamineError(Exception):
    """What was asked for can't be had here; the message says why."""


def examine() -> Report:
    """Load every program once, read every hierarchy once, and say what came of it (takes about 0.2 s)."""
    offered = capabilities()
    pieces = [
        Missing(f"BPF {piece.name}: {piece.purpose}", piece.reason or "", piece.remedy or "")
        for piece in offered.pieces
        if not piece.available
    ]
    limit = raise_descriptor_limit()
    if limit < WANTED:
        pieces.append(
            Missing(
                f"open files: more than {limit} of {WANTED} (cgroup files beyond are opened for each reading)",
                "CAP_SYS_RESOURCE missing, and the hard limit is lower",
                f"grant CAP_SYS_RESOURCE, or start with a hard limit of {WANTED} (ulimit -Hn)",
            )
        )
    mounts = parse_mountinfo(Path("/proc/self/mountinfo").read_bytes())
    mode = cgroup_mode([mount.filesystem for mount in mounts])
    try:
        snapshotter = Snapshotter()
        snapshotter.collect()
        signals = [
            Signal(source.group, source.hierarchy, source.tier, source.source, source.reason)
            for source in snapshotter.sources()
        ]
    except (SnapshotError, OSError) as error:
        signals = []
        pieces.append(Missing("cgroups", str(error), "mount a cgroup hierarchy below /sys/fs/cgroup"))
    return make_report(offered.kernel or os.uname().release, mode, signals, pieces)


def measure(window_s: float) -> list[Cost]:
    """Run time of each program of ours, of any process, over the window. ExamineError when the kernel doesn't tell."""
    try:
        counted = program_costs(window_s)
    except OSError as error:
        raise ExamineError(f"the kernel does not count the programs' run time: {error}") from None
    return [cost(it.name, it.id, it.runs, it.run_time_ns, window_s) for it in counted]

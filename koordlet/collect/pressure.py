"""Pressure averages of pods and containers, as the kernel keeps them (gate PSICollector)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from koordlet.collect.groups import Group
from koordlet.procfs.pressure import Pressure, parse_pressure

RESOURCES = {"cpu": "cpu.pressure", "mem": "memory.pressure", "io": "io.pressure"}
"""Koordinator's name of a resource -> the cgroup's file."""


@dataclass(frozen=True, slots=True)
class GroupPressure:
    """The three files of one pod or container."""

    group: Group
    by_resource: Mapping[str, Pressure]


def read_pressures(tree: Path, groups: Iterable[Group]) -> tuple[GroupPressure, ...]:
    """Read the files below the v2 tree; a cgroup that isn't there or was removed meanwhile is left out.

    ProcError for a file that can't be understood.
    """
    found = (_read(tree, group) for group in groups if group.identity.kind in ("pod", "container"))
    return tuple(pressure for pressure in found if pressure is not None)


def _read(tree: Path, group: Group) -> GroupPressure | None:
    try:
        files = {name: (path := tree / group.path[1:] / file, path.read_bytes()) for name, file in RESOURCES.items()}
    except OSError:
        return None
    return GroupPressure(group, {name: parse_pressure(data, str(path)) for name, (path, data) in files.items()})

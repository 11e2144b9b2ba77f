"""Cgroups to measure on: made under one name in the hierarchies of this machine, all removed at the end."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self


@dataclass(frozen=True)
class Hierarchy:
    """A mounted cgroup hierarchy."""

    mount: Path
    version: int
    controllers: frozenset[str]

    def parent_values(self, folder: Path) -> None:
        """Give a new v1 cpuset the CPUs and memory nodes of its parent; without them it takes no task."""
        if self.version == 1 and "cpuset" in self.controllers:
            for name in ("cpuset.cpus", "cpuset.mems"):
                (folder / name).write_text((folder.parent / name).read_text())


def hierarchies(mountinfo: str) -> list[Hierarchy]:
    """The cgroup mounts in the text of /proc/self/mountinfo, v2 first."""
    found: list[Hierarchy] = []
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        mount = Path(before.split()[4])
        kind, _, super_options = after.split(" ", 2)
        if kind == "cgroup2":
            enabled = mount / "cgroup.subtree_control"
            found.insert(0, Hierarchy(mount, 2, frozenset(enabled.read_text().split() if enabled.exists() else ())))
        elif kind == "cgroup":
            names = super_options.split(",")
            found.append(Hierarchy(mount, 1, frozenset(name for name in names if name not in {"rw", "ro"})))
    return found


def machine_hierarchies() -> list[Hierarchy]:
    """The cgroup mounts that this process sees."""
    return hierarchies(Path("/proc/self/mountinfo").read_text())


@dataclass
class Tree:
    """Cgroups below one top folder, the same in every given hierarchy. As a context it removes what it made."""

    over: Sequence[Hierarchy]
    top: str
    made: list[Path] = field(default_factory=list)

    def __enter__(self) -> Self:
        self.make([""])
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def make(self, names: Iterable[str]) -> None:
        """Make cgroups, parents before children, in every hierarchy."""
        for name in names:
            for hierarchy in self.over:
                folder = self.folder(hierarchy, name)
                folder.mkdir()
                self.made.append(folder)
                hierarchy.parent_values(folder)

    def folder(self, hierarchy: Hierarchy, name: str) -> Path:
        """The directory of one cgroup in one hierarchy."""
        return hierarchy.mount / self.top / name

    def folders(self, name: str) -> list[Path]:
        """The directories of one cgroup, one per hierarchy."""
        return [self.folder(hierarchy, name) for hierarchy in self.over]

    def remove(self) -> None:
        """Remove every cgroup that was made, the newest first; a killed process may take a moment to leave its own."""
        deadline = time.monotonic() + 10
        while self.made:
            try:
                self.made[-1].rmdir()
            except FileNotFoundError:
                pass
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
                continue
            self.made.pop()


def set_quota(tree: Tree, name: str, quota_us: int, period_us: int) -> None:
    """Limit a cgroup's CPU time in whichever hierarchies of the tree have the cpu controller."""
    for folder in tree.folders(name):
        if (folder / "cpu.max").exists():
            (folder / "cpu.max").write_text(f"{quota_us} {period_us}")
        if (folder / "cpu.cfs_quota_us").exists():
            (folder / "cpu.cfs_period_us").write_text(str(period_us))
            (folder / "cpu.cfs_quota_us").write_text(str(quota_us))


def set_memory_limit(tree: Tree, name: str, limit_bytes: int) -> None:
    """Limit a cgroup's memory in whichever hierarchies of the tree have the memory controller."""
    for folder in tree.folders(name):
        for file in ("memory.max", "memory.limit_in_bytes"):
            if (folder / file).exists():
                (folder / file).write_text(str(limit_bytes))

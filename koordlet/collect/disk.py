"""Disks and the local filesystems on them."""

import os
import select
import time
from dataclasses import dataclass
from pathlib import Path

from koordlet.collect.rate import rate_per_s
from koordlet.procfs.diskstats import DiskCounters, parse_diskstats
from koordlet.procfs.kept import KeptFile
from koordlet.procfs.mountinfo import Mount, parse_mountinfo


@dataclass(frozen=True, slots=True)
class DiskSample:
    """One block device; rates are None without a previous sample."""

    counters: DiskCounters
    read_bytes_per_s: float | None = None
    written_bytes_per_s: float | None = None
    busy_ratio: float | None = None
    """Share of the time with at least one request in flight, 0 to 1."""


@dataclass(frozen=True, slots=True)
class FilesystemSample:
    """One filesystem on a block device of this node, at its first mount point."""

    point: str
    source: str
    filesystem: str
    size_bytes: int
    available_bytes: int
    """What an unprivileged process can still use."""


@dataclass(frozen=True, slots=True)
class StorageSample:
    """All disks and their filesystems at one moment."""

    disks: tuple[DiskSample, ...]
    filesystems: tuple[FilesystemSample, ...]


def disk_sample(before: DiskCounters | None, after: DiskCounters, elapsed_s: float) -> DiskSample:
    """Rates of one device between two readings."""
    if before is None:
        return DiskSample(after)
    busy = rate_per_s(before.busy_ms, after.busy_ms, elapsed_s * 1000)
    return DiskSample(
        after,
        rate_per_s(before.read_bytes, after.read_bytes, elapsed_s),
        rate_per_s(before.written_bytes, after.written_bytes, elapsed_s),
        None if busy is None else min(busy, 1.0),
    )


def local_mounts(mounts: list[Mount], devices: set[tuple[int, int]]) -> list[Mount]:
    """The first mount of each filesystem whose device is one of `devices`: never a network one, which may hang."""
    first: dict[tuple[int, int], Mount] = {}
    for mount in mounts:
        device = (mount.major, mount.minor)
        if device in devices:
            first.setdefault(device, mount)
    return list(first.values())


class MountTable:
    """The mounts, read again only when the kernel says that they changed (poll on mountinfo, Linux 2.6.30)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("rb", buffering=0)
        self._changes = select.poll()
        self._changes.register(self._file, select.POLLPRI)
        self._mounts: list[Mount] | None = None

    def read(self) -> list[Mount]:
        """All mounts now. OSError or ProcError when they can't be read or understood."""
        if self._changes.poll(0) or self._mounts is None:
            self._file.seek(0)
            self._mounts = parse_mountinfo(self._file.readall(), str(self._path))
        return self._mounts


class StorageReader:
    """Reads disks and filesystems; remembers the previous reading of the counters."""

    def __init__(self, proc_root: Path) -> None:
        self._diskstats = KeptFile(proc_root / "diskstats")
        self._mounts = MountTable(proc_root / "self/mountinfo")
        self._before: dict[tuple[int, int], DiskCounters] = {}
        self._before_s = 0.0

    def read(self) -> StorageSample:
        """One sample. OSError or ProcError when a file can't be read or understood."""
        now_s = time.monotonic()
        after = {
            (disk.major, disk.minor): disk for disk in parse_diskstats(self._diskstats.read(), self._diskstats.path)
        }
        disks = tuple(disk_sample(self._before.get(key), disk, now_s - self._before_s) for key, disk in after.items())
        self._before, self._before_s = after, now_s
        mounts = local_mounts(self._mounts.read(), set(after))
        return StorageSample(disks, tuple(filter(None, (_filesystem(mount) for mount in mounts))))


def _filesystem(mount: Mount) -> FilesystemSample | None:
    try:
        usage = os.statvfs(mount.point)
    except OSError:
        return None  # unmounted since, or not reachable from this mount namespace
    return FilesystemSample(
        mount.point,
        mount.source,
        mount.filesystem,
        usage.f_blocks * usage.f_frsize,
        usage.f_bavail * usage.f_frsize,
    )

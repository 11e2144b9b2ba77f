"""/proc/diskstats: counters of block devices."""

from dataclasses import dataclass

from koordlet.procfs.error import ProcError, whole_number

SECTOR_BYTES = 512  # of this file, whatever the device's own sector size is


@dataclass(frozen=True, slots=True)
class DiskCounters:
    """Totals since boot of one block device."""

    major: int
    minor: int
    name: str
    reads: int
    read_bytes: int
    writes: int
    written_bytes: int
    busy_ms: int


def parse_diskstats(data: bytes, path: str = "/proc/diskstats") -> list[DiskCounters]:
    """Every device with at least one request so far, in the file's order; ProcError for a short or odd line."""
    disks: list[DiskCounters] = []
    for line in data.splitlines():
        fields = line.split()
        if not fields:
            continue
        if len(fields) < 14:
            raise ProcError(path, line, "at least 14 fields")
        numbers = [whole_number(path, field) for field in (*fields[:2], *fields[3:14])]
        major, minor, reads, _, sectors_read, _, writes, _, sectors_written, _, _, busy_ms, _ = numbers
        if reads or writes:
            name = fields[2].decode("utf-8", "replace")
            read_bytes, written_bytes = sectors_read * SECTOR_BYTES, sectors_written * SECTOR_BYTES
            disks.append(DiskCounters(major, minor, name, reads, read_bytes, writes, written_bytes, busy_ms))
    return disks

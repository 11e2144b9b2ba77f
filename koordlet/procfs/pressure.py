"""Pressure files: cpu.pressure, memory.pressure, io.pressure."""

import re
from dataclasses import dataclass

from koordlet.procfs.error import ProcError

_LINE = re.compile(
    rb"(some|full) avg10=(\d{1,3}\.\d{1,6}) avg60=(\d{1,3}\.\d{1,6}) avg300=(\d{1,3}\.\d{1,6}) total=\d{1,20}"
)


@dataclass(frozen=True, slots=True)
class Averages:
    """Share of the time over three windows, in percent."""

    avg10: float
    avg60: float
    avg300: float


@dataclass(frozen=True, slots=True)
class Pressure:
    """One pressure file; `full` is None where the kernel has no such line (cpu.pressure before Linux 5.13)."""

    some: Averages
    full: Averages | None


def parse_pressure(data: bytes, path: str) -> Pressure:
    """Both lines of the file; ProcError for any other line and when `some` is absent."""
    found: dict[bytes, Averages] = {}
    for line in data.splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            raise ProcError(path, line, "some|full avg10=% avg60=% avg300=% total=us")
        found[match[1]] = Averages(float(match[2]), float(match[3]), float(match[4]))
    if b"some" not in found:
        raise ProcError(path, data, "a line that starts with some")
    return Pressure(found[b"some"], found.get(b"full"))

"""/proc/self/mountinfo: what is mounted where."""

import re
from dataclasses import dataclass

from koordlet.procfs.error import ProcError, whole_number

_OCTAL = re.compile(rb"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mount:
    """One mount; paths may hold any bytes and are decoded with surrogate escapes, as `os` functions take them."""

    major: int
    minor: int
    point: str
    filesystem: str
    source: str


def parse_mountinfo(data: bytes, path: str = "/proc/self/mountinfo") -> list[Mount]:
    """All mounts in the file's order; ProcError for a line that is not one."""
    mounts: list[Mount] = []
    for line in data.split(b"\n"):
        if not line:
            continue
        before, separator, after = line.partition(b" - ")
        left, right = before.split(b" "), after.split(b" ")
        if not separator or len(left) < 6 or len(right) < 2:
            raise ProcError(path, line, "ID PARENT MAJOR:MINOR ROOT POINT OPTIONS ... - TYPE SOURCE OPTIONS")
        major, _, minor = left[2].partition(b":")
        mounts.append(
            Mount(
                whole_number(path, major), whole_number(path, minor), _text(left[4]), _text(right[0]), _text(right[1])
            )
        )
    return mounts


def _text(field: bytes) -> str:
    plain = _OCTAL.sub(lambda match: bytes([int(match[1], 8) & 0xFF]), field)
    return plain.decode("utf-8", "surrogateescape")

"""The kernel's CPU list format: `0-3,8`."""

import re
from collections.abc import Iterable
from typing import Final

from koord.api.errors import ApiError

HIGHEST: Final = 65535
"""No machine has a CPU beyond this; it bounds what a range in an annotation can make us allocate."""

_RANGE: Final = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))?")


class CPUListError(ApiError):
    """A text that is no CPU list."""


def parse_cpus(text: str) -> frozenset[int]:
    """Read a CPU list; an empty text is no CPU. Raises CPUListError."""
    cpus: set[int] = set()
    for part in text.split(",") if text else ():
        match = _RANGE.fullmatch(part)
        first = int(match[1]) if match else -1
        last = int(match[2] or match[1]) if match else -1
        if not 0 <= first <= last <= HIGHEST:
            raise CPUListError(f'found "{part}" in "{text}", allowed CPU numbers and ranges such as "0-3,8"')
        cpus.update(range(first, last + 1))
    return frozenset(cpus)


def format_cpus(cpus: Iterable[int]) -> str:
    """Write CPUs as a list with ranges, in rising order."""
    parts: list[str] = []
    ordered = sorted(set(cpus))
    start = 0
    for index, cpu in enumerate(ordered):
        if index + 1 == len(ordered) or ordered[index + 1] != cpu + 1:
            parts.append(str(cpu) if start == index else f"{ordered[start]}-{cpu}")
            start = index + 1
    return ",".join(parts)

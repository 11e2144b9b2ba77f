"""JSON paths as they appear in messages: `detail[0].cpuset`, `containers["a.b"].limits`."""

import re
from collections.abc import Iterable

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def join(steps: Iterable[str | int]) -> str:
    """Write the steps from the document's root to a value as one path; empty for the root."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        elif _PLAIN.fullmatch(step):
            path += f".{step}" if path else step
        else:
            path += f'["{step}"]'
    return path

"""Windowed aggregates of one series."""

import math
from typing import Any

from koord._core import Store


def check(line: dict[str, Any]) -> str | None:
    given, expected = line["input"], line["expected"]
    samples = given.get("samples", [])
    store = Store(retention_ms=1 << 40, max_bytes=1 << 24)
    for sample in samples:
        store.append_one(0, sample.get("offsetMs", 0), 1, sample.get("value", 0.0))
    window = store.query(0, 1, given.get("queryStartOffsetMs", 0), given.get("queryEndOffsetMs", 0))
    if window is None:
        wanted_empty = not expected.get("count") and all(expected.get(name) is None for name in ("avg", "p50", "last"))
        return None if wanted_empty else f"expected {expected}, got no samples"
    got = {
        "count": window.count,
        "avg": window.avg,
        "p50": window.p50,
        "p90": window.p90,
        "p95": window.p95,
        "p99": window.p99,
        "last": window.last,
        "timeRangeMs": window.last_ts_ms - window.first_ts_ms,
    }
    for name, value in got.items():
        wanted = expected.get(name, 0)
        same = wanted is not None and (math.isclose(value, wanted, rel_tol=1e-12) if name == "avg" else value == wanted)
        if not same:
            return f"{name}: expected {wanted}, got {value}"
    return None

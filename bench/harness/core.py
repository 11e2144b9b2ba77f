"""What loading the compiled core and its BPF programs costs a Python process, measured in fresh ones."""

import json
import subprocess
import sys

from bench.harness.result import Result, judged

RUNS = 5
LOAD_TARGET_MS, RSS_TARGET_MB = 150, 12

CHILD = """
import json, os, time
def rss_bytes():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")
rss, start, cpu = rss_bytes(), time.perf_counter(), time.process_time()
from koord._core import Snapshotter
snapshotter = Snapshotter()
loaded, cpu = time.perf_counter() - start, time.process_time() - cpu
snapshotter.collect()
print(json.dumps([loaded * 1e3, cpu * 1e3, (rss_bytes() - rss) / 1e6]))
"""


def load_cost() -> list[Result]:
    """Time to import the core and load its programs; memory above Python's after the first reading."""
    runs: list[tuple[float, float, float]] = []
    for _ in range(RUNS):
        done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, timeout=30, check=True)
        runs.append(json.loads(done.stdout))
    load_ms, cpu_ms, rss_mb = (min(values) for values in zip(*runs, strict=True))
    return [
        judged(
            "core_load_ms", load_ms, "ms", "<=", LOAD_TARGET_MS, f"least of {RUNS} processes; {cpu_ms:.0f} ms of CPU"
        ),
        judged("core_rss_mb", rss_mb, "MB", "<=", RSS_TARGET_MB, "above Python, after the first reading"),
    ]

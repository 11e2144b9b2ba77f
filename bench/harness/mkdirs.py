"""How long making a cgroup takes while something else goes on; in a process of its own, so that no GIL is shared."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from bench.harness.timing import percentile

COUNT = 400

CHILD = """
import os, sys, time
for number in range(int(sys.argv[2])):
    path = f"{sys.argv[1]}/made{number}"
    start = time.perf_counter_ns()
    os.mkdir(path)
    print(time.perf_counter_ns() - start)
    os.rmdir(path)
    time.sleep(0.001)
"""


def mkdir_p95_us(parent: Path, meanwhile: Callable[[], object] | None = None) -> float:
    """The 95th percentile of making cgroups below a parent, in µs; each is removed at once."""
    command = [sys.executable, "-S", "-c", CHILD, str(parent), str(COUNT)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        while meanwhile is not None and child.poll() is None:
            meanwhile()
        output, _ = child.communicate(timeout=60)
    if child.returncode != 0:
        raise RuntimeError(f"making cgroups below {parent} failed")
    return percentile([int(line) for line in output.split()], 0.95) / 1e3

"""Processes in cgroups: idle ones, and ones that are busy for a share of the time. They end with their starter.

One helper process forks all of them, so that hundreds cost little memory; when its input closes it ends them all.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, NoReturn

SLICE_SECONDS = 0.1
"""A busy process works for its share of each such slice."""


class Job(NamedTuple):
    """A process: the share of the time it is busy (0 to 1), and the cgroups it is in."""

    duty: float
    folders: Sequence[Path]


@contextmanager
def running(jobs: Sequence[Job]) -> Generator[list[int]]:
    """Start one process per job; the process ids, in order. All have ended when the context is left."""
    request = json.dumps([[job.duty, [str(folder) for folder in job.folders]] for job in jobs])
    helper = subprocess.Popen(
        [sys.executable, "-S", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert helper.stdin is not None
    assert helper.stdout is not None
    try:
        helper.stdin.write(request + "\n")
        answer = helper.stdout.readline()
        if not answer:
            raise RuntimeError(f"the load did not start: status {helper.wait(10)}")
        yield json.loads(answer)
    finally:
        helper.stdin.close()
        helper.stdout.close()
        helper.wait(30)


def serve() -> None:
    """The helper: fork the asked processes, name them, wait for the end of input, end them."""
    jobs = json.loads(sys.stdin.readline())
    children: list[int] = []
    try:
        for duty, folders in jobs:
            child = os.fork()
            if child == 0:
                work(duty)
            children.append(child)
            for folder in folders:
                Path(folder, "cgroup.procs").write_text(str(child))
        print(json.dumps(children), flush=True)
        sys.stdin.read()
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
        for child in children:
            os.waitpid(child, 0)


def work(duty: float) -> NoReturn:
    """A child: busy for a share of every slice, until killed."""
    while duty == 0:
        signal.pause()
    while True:
        end = time.perf_counter() + duty * SLICE_SECONDS
        while time.perf_counter() < end:
            pass
        if duty < 1:
            time.sleep((1 - duty) * SLICE_SECONDS)


if __name__ == "__main__":
    serve()

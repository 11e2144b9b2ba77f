"""Throw-away cgroups on this machine's real hierarchies, and processes in them."""

import contextlib
import itertools
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

CONTROLLERS = ("cpu", "cpuacct", "cpuset", "memory", "pids", "blkio")
_serial = itertools.count()


def hierarchies() -> dict[str, Path]:
    """Where each v1 controller is mounted, and the v2 tree as `unified`."""
    found: dict[str, Path] = {}
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, mount, kind, options, *_ = line.split()
        if kind == "cgroup2":
            found.setdefault("unified", Path(mount))
        elif kind == "cgroup":
            for controller in set(options.split(",")) & set(CONTROLLERS):
                found.setdefault(controller, Path(mount))
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    reason = None
    if os.geteuid() != 0:
        reason = "kernel tests make cgroups, which needs root"
    elif not hierarchies():
        reason = "no cgroup hierarchy is mounted"
    here = Path(__file__).parent
    for item in items:
        if reason and here in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=reason))


@dataclass
class Group:
    """One cgroup: the same path in some hierarchies."""

    path: str
    dirs: dict[str, Path]
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def file(self, name: str) -> Path:
        """The file in the v1 hierarchy its name begins with, else in the v2 tree; `unified/NAME`: only there."""
        if name.startswith("unified/"):
            return self.dirs["unified"] / name.removeprefix("unified/")
        controller = name.partition(".")[0]
        return self.dirs.get(controller, self.dirs.get("unified", Path("/nonexistent"))) / name

    def read(self, name: str) -> str:
        return self.file(name).read_text()

    def write(self, name: str, value: str) -> None:
        self.file(name).write_text(value)

    def attach(self, pid: int) -> None:
        for directory in self.procs_dirs():
            (directory / "cgroup.procs").write_text(str(pid))

    def procs_dirs(self) -> list[Path]:
        return list(dict.fromkeys(self.dirs.values()))

    def run(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a command that is in the cgroup before its first instruction."""
        enter = "; ".join(f"echo $$ > {shlex.quote(str(d / 'cgroup.procs'))}" for d in self.procs_dirs())
        process = subprocess.Popen(["sh", "-c", f"{enter}; exec {shlex.join(command)}"], stdin=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def python(self, code: str, *arguments: str) -> subprocess.Popen[bytes]:
        return self.run(sys.executable, "-S", "-c", code, *arguments)

    def spin(self) -> subprocess.Popen[bytes]:
        """One thread that never sleeps."""
        return self.run("sh", "-c", "while :; do :; done")

    def kill(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
        for process in self.processes:
            process.wait()
        self.processes.clear()

    def remove(self) -> None:
        """Kill what runs in it and remove its directories."""
        self.kill()
        for directory in self.procs_dirs():
            remove_directory(directory)


def remove_directory(directory: Path) -> None:
    """Remove a cgroup directory; a killed process may leave it a moment later."""
    deadline = time.monotonic() + 5
    while directory.exists():
        try:
            directory.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


class Groups:
    """Makes uniquely named cgroups and removes them all at the end."""

    def __init__(self, mounts: dict[str, Path]) -> None:
        self.mounts = mounts
        self.made: list[Group] = []

    def make(
        self, name: str | None = None, *, parent: Group | None = None, only: tuple[str, ...] | None = None
    ) -> Group:
        """Make `/koord-test-PID-N` or `PARENT/name`, in all hierarchies or only in some."""
        below = parent.path if parent else ""
        path = f"{below}/{name or 'g'}" if parent else f"/{name or f'koord-test-{os.getpid()}-{next(_serial)}'}"
        roots = {key: mount for key, mount in self.mounts.items() if only is None or key in only}
        dirs = {key: Path(f"{mount}{path}") for key, mount in roots.items()}
        group = Group(path, dirs)
        self.made.append(group)
        for key, directory in dirs.items():
            directory.mkdir(exist_ok=len({*dirs.values()}) < len(dirs))
            if key == "cpuset":
                for name in ("cpuset.cpus", "cpuset.mems"):
                    (directory / name).write_text((directory.parent / name).read_text())
        return group

    def close(self) -> None:
        for group in self.made:
            group.kill()
        for group in reversed(self.made):
            with contextlib.suppress(FileNotFoundError):
                group.remove()


@pytest.fixture
def cgroups() -> Iterator[Groups]:
    groups = Groups(hierarchies())
    try:
        yield groups
    finally:
        groups.close()


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool], float], None]:
    """Wait until a condition holds; fail when it does not within some seconds."""

    def wait(condition: Callable[[], bool], seconds: float = 5.0) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, "the condition did not hold in time"
            time.sleep(0.02)

    return wait

"""A real koordlet on real cgroups, on addresses of its own."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

BIN = Path(sys.executable).parent
QUOTA_US, PERIOD_US = 20_000, 100_000


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass
class Agent:
    """One koordlet process."""

    folder: Path
    arguments: list[str] = field(default_factory=list)
    prefix: tuple[str, ...] = ()
    """The command that starts it with fewer rights."""
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[str] | None = None

    @property
    def socket_path(self) -> Path:
        return self.folder / "koordlet.sock"

    @property
    def log_path(self) -> Path:
        return self.folder / f"log-{self.port}"

    def start(self) -> "Agent":
        command = [
            *self.prefix,
            f"{BIN}/koordlet",
            f"-addr=127.0.0.1:{self.port}",
            f"-socket-path={self.socket_path}",
            f"-lock-path={self.folder}/lock",
            "-collect-res-used-interval=200ms",
            *self.arguments,
        ]
        environment = os.environ | {"agent_mode": "hostMode", "NODE_NAME": "test-node"}
        with self.log_path.open("w") as log:
            self.process = subprocess.Popen(command, env=environment, stderr=log, text=True)
        return self

    def get(self, path: str) -> tuple[int, bytes]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def json(self, path: str) -> Any:
        return json.loads(self.get(path)[1])

    def wait_ready(self) -> "Agent":
        """Wait until every collector is ready and rates are known."""
        return self._wait(lambda: self.get("/readyz")[0] == 200 and self.table_has_rates())

    def wait_rates(self) -> "Agent":
        """Wait until rates are known."""
        return self._wait(self.table_has_rates)

    def _wait(self, condition: Callable[[], bool], seconds: float = 20) -> "Agent":
        deadline = time.monotonic() + seconds
        while True:
            assert self.process is not None
            assert self.process.poll() is None, self.log_path.read_text()
            try:
                if condition():
                    return self
            except (OSError, KeyError):
                pass  # not listening yet, or no snapshot yet
            assert time.monotonic() < deadline, self.log_path.read_text()
            time.sleep(0.05)

    def table_has_rates(self) -> bool:
        return self.json("/v1/top")["node"]["cpu_cores"] is not None

    def end(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """Exit status and seconds that the end took."""
        assert self.process is not None
        start = time.monotonic()
        self.process.send_signal(number)
        status = self.process.wait(20)
        return status, time.monotonic() - start

    def kill(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def make_agent(tmp_path: Path) -> Iterator[Callable[..., Agent]]:
    agents: list[Agent] = []

    def make(*arguments: str, prefix: tuple[str, ...] = ()) -> Agent:
        agents.append(Agent(tmp_path, list(arguments), prefix=prefix).start())
        return agents[-1]

    yield make
    for agent in agents:
        agent.kill()


@pytest.fixture
def throttled(cgroups):
    """A group with a spinner that wants a whole CPU and may use a fifth of one."""
    group = cgroups.make()
    if "cpu" in group.dirs:
        group.write("cpu.cfs_period_us", str(PERIOD_US))
        group.write("cpu.cfs_quota_us", str(QUOTA_US))
        group.write("cpu.shares", "102400")  # so that a busy machine cannot keep it from using up its quota
    elif (group.dirs["unified"] / "cpu.max").exists():
        group.write("cpu.max", f"{QUOTA_US} {PERIOD_US}")
        group.write("cpu.weight", "10000")
    else:
        pytest.skip("no cpu controller to set a quota with")
    group.spin()
    return group

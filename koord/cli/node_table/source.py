"""Where the table comes from: a running koordlet's socket, or this process itself."""

import json
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from koord._core import SnapshotError, Snapshotter
from koordlet.collect.frame import RowSources
from koordlet.collect.groups import GroupIndex
from koordlet.collect.node import NodeReader
from koordlet.collect.table import GroupRow, NodeRow, group_rows, node_row

DEFAULT_SOCKET = Path("/run/koord/koordlet.sock")
SourceName = Literal["auto", "agent", "local"]
Tier = Literal["auto", "bpf-css", "bpf-iter", "files"]

_ANSWER_TIMEOUT_S = 5.0


class SourceError(Exception):
    """There is no table to be had here; the message says what was tried and why it failed."""


@dataclass(frozen=True, slots=True)
class Table:
    """The node and its cgroups."""

    node: NodeRow
    rows: list[GroupRow]


class TableSource(Protocol):
    """Gives tables; the first one of a local source has no rates."""

    @property
    def description(self) -> str:
        """What reads the values, for people."""
        ...

    def read(self, window_s: float) -> Table:
        """The newest table; an agent's rates are over the last `window_s`, a local one's since the previous read."""
        ...


class LocalSource:
    """Reads the kernel from this process."""

    def __init__(self, tier: Tier = "auto") -> None:
        """Load what this kernel supports. SourceError when no cgroup hierarchy can be read."""
        try:
            self._snapshotter = Snapshotter(tier=tier)
        except (SnapshotError, OSError) as error:
            raise SourceError(f"cannot read cgroups from here: {error}") from None
        self._index = GroupIndex()
        self._decoder = RowSources()
        self._node = NodeReader(Path("/proc"), Path("/sys"))
        self._before_s = time.monotonic()

    @property
    def description(self) -> str:
        """What reads the values."""
        return "this process"

    def read(self, window_s: float) -> Table:
        """One snapshot; rates are since the previous one."""
        try:
            frame = self._snapshotter.collect()
            sample = self._node.read({})
        except (SnapshotError, OSError, ValueError) as error:
            raise SourceError(f"cannot read cgroups from here: {error}") from None
        now_s = time.monotonic()
        elapsed_s, self._before_s = now_s - self._before_s, now_s
        self._index.apply(frame.appeared, frame.gone)
        rows = group_rows(frame, self._index, self._snapshotter.sources(), self._decoder)
        cpus = os.cpu_count() or 0
        return Table(node_row(os.uname().nodename, cpus, sample, frame, rows, elapsed_s), rows)


class AgentSource:
    """Asks a running koordlet."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def description(self) -> str:
        """What reads the values."""
        return f"koordlet at {self._path}"

    def read(self, window_s: float) -> Table:
        """The agent's newest table. SourceError when it doesn't answer."""
        status, body = get(self._path, f"/v1/top?window={window_s:g}")
        try:
            answer: dict[str, Any] = json.loads(body)
            if status != 200:
                raise SourceError(f"koordlet at {self._path}: {answer.get('error', status)}")
            return Table(NodeRow(**answer["node"]), [GroupRow(**row) for row in answer["rows"]])
        except (ValueError, KeyError, TypeError) as error:
            raise SourceError(f"koordlet at {self._path} gave no table ({error}): is it another version?") from None


def get(path: Path, target: str) -> tuple[int, bytes]:
    """Status and body of one HTTP request over a unix socket. SourceError when nobody answers."""
    answer = bytearray()
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(_ANSWER_TIMEOUT_S)
            connection.connect(os.fspath(path))
            connection.sendall(f"GET {target} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            while part := connection.recv(1 << 20):
                answer += part
    except OSError as error:
        raise SourceError(f"koordlet at {path} does not answer: {error.strerror or error}") from None
    head, separator, body = bytes(answer).partition(b"\r\n\r\n")
    fields = head.split(b" ", 2)
    if not separator or len(fields) < 2 or not fields[1].isdigit():
        raise SourceError(f"koordlet at {path} gave no HTTP answer")
    return int(fields[1]), body


def live_source(name: SourceName, path: Path, tier: Tier) -> TableSource:
    """For a view that stays: a running koordlet if there is one, so that the kernel is read once; else this process."""
    if name == "local":
        return LocalSource(tier)
    agent = AgentSource(path)
    try:
        agent.read(0)
    except SourceError as agent_error:
        if name == "agent":
            raise
        try:
            return LocalSource(tier)
        except SourceError as local_error:
            raise SourceError(f"{local_error}; {agent_error}") from None
    return agent


def table_after(interval_s: float, name: SourceName, path: Path, tier: Tier) -> Table:
    """One table over the coming `interval_s`.

    Read by this process where that is possible, because the interval is then exactly the one asked for; a koordlet's
    samples keep its own time.
    """
    if name != "agent":
        try:
            source = LocalSource(tier)
        except SourceError as local_error:
            if name == "local":
                raise
            return _from_agent(interval_s, path, str(local_error))
        source.read(interval_s)
        time.sleep(interval_s)
        return source.read(interval_s)
    return _from_agent(interval_s, path, "")


def _from_agent(interval_s: float, path: Path, why_not_local: str) -> Table:
    source = AgentSource(path)
    try:
        source.read(0)
        time.sleep(interval_s)
        return source.read(interval_s)
    except SourceError as error:
        raise SourceError(f"{why_not_local}; {error}" if why_not_local else str(error)) from None

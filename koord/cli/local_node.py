"""This machine as a node: the agent as a child process, and what its user sees of it."""

import asyncio
import os
import signal
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import koord.log
from koord.cli.node_table.columns import BY_NAME
from koord.cli.node_table.order import Selection, flat
from koord.cli.node_table.source import AgentSource, SourceError, Table
from koord.cli.top import table_text
from koord.log import Sink
from koord.supervise import Backoff, Supervisor, run_child

READY_TIMEOUT_S = 60.0
TABLE_ROWS = 25
_POLL_S = 0.05
_SORT = "cpu"


class UpError(Exception):
    """The node could not be started; the message says which part and why."""


class LocalNode:
    """Runs the agent unless one runs already, shows it, and ends what it started."""

    def __init__(self, address: str, socket_path: Path, log_file: Path) -> None:
        self._address = address
        self._socket_path = socket_path
        self._log_file = log_file
        self._source = AgentSource(socket_path)
        self._supervisor = Supervisor(Backoff(first_s=0.2, max_s=10))

    async def run(self, *, once: bool, live: bool) -> None:
        """Until the first table (`once`), the end of the view (`live`), or a signal. UpError when there is no agent."""
        stop = _stop_signal()
        with ExitStack() as stack:
            try:
                whose = await self._start_agent(stack, quiet=live)
                table = await self._first_table(stop)
                if table is None:
                    return
                if live:
                    await self._show(stop)
                    return
                print(
                    f"ready: metrics at http://{self._address}/metrics, table at {self._socket_path} ({whose})\n",
                    flush=True,
                )
                lines = flat(table.rows, Selection(), BY_NAME[_SORT], descending=True)
                print(table_text(table, lines, TABLE_ROWS), flush=True)
                if not once:
                    await stop.wait()
            finally:
                await self._supervisor.stop()

    async def _start_agent(self, stack: ExitStack, *, quiet: bool) -> str:
        """Start the agent as a child, or find the one that runs; returns which of the two."""
        try:
            await asyncio.to_thread(self._source.read, 0)
        except SourceError:
            command = [
                sys.executable,
                "-m",
                "koordlet",
                f"-addr={self._address}",
                f"-socket-path={self._socket_path}",
                f"-lock-path={self._socket_path.with_suffix('.lock')}",
            ]
            environment = {"agent_mode": "hostMode"} | os.environ
            log = stack.enter_context(self._open_log()) if quiet else None
            if log is not None:
                koord.log.configure(Sink(stream=log))  # the view owns the terminal
            self._supervisor.start("koordlet", lambda: run_child(command, environment, log))
            return "started here"
        return "was running already"

    def _open_log(self) -> TextIO:
        try:
            self._log_file.parent.mkdir(parents=True, exist_ok=True)
            return self._log_file.open("w")
        except OSError as error:
            raise UpError(f"cannot write the log {self._log_file}: {error.strerror}") from None

    async def _first_table(self, stop: asyncio.Event) -> Table | None:
        """The first table with rates; None when told to stop before."""
        deadline_s = time.monotonic() + READY_TIMEOUT_S
        problem = ""
        while not stop.is_set():
            try:
                table = await asyncio.to_thread(self._source.read, 0)
                if table.node.cpu_cores is not None:
                    return table
            except SourceError as error:
                problem = str(error)
            part = self._supervisor.status.get("koordlet")
            if time.monotonic() > deadline_s or (part is not None and part.failures_in_a_row >= 3):
                raise UpError(f"the agent did not start: {part.last_error if part and part.last_error else problem}")
            await asyncio.sleep(_POLL_S)
        return None

    async def _show(self, stop: asyncio.Event) -> None:
        from koord.cli.node_table.live import LiveView  # takes long to import, and only a terminal needs it

        view = LiveView(self._source, 1.0, Selection(), _SORT, descending=True, as_tree=False)

        async def end_view() -> None:
            await stop.wait()
            view.exit()

        ender = asyncio.create_task(end_view())
        try:
            await view.run_async()
        finally:
            ender.cancel()


def _stop_signal() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop

"""The collectors' loops: what is read when, and where the results go."""

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from koord._core import Frame, Snapshotter
from koord.log import Logger
from koordlet.collect.deadlines import Pace, deadlines
from koordlet.collect.disk import StorageReader
from koordlet.collect.node import NodeReader
from koordlet.collect.node_info import NodeInfo, read_node_info
from koordlet.collect.observation import Observation
from koordlet.collect.pressure import read_pressures
from koordlet.config.options import Options
from koordlet.procfs.error import ProcError

log = Logger(__name__)

CGROUPS, NODE, CPU_INFO, STORAGE, PRESSURE = "cgroups", "node", "node-cpu-info", "node-storage", "pressure"
COLLECTORS = (CGROUPS, NODE, CPU_INFO, STORAGE)

T = TypeVar("T")


class Loops:
    """Runs every read in a thread of its own kind, so that a file that hangs stops its own collector only."""

    def __init__(self, options: Options, observation: Observation) -> None:
        self._options = options
        self._now = observation
        self._snapshot_thread = ThreadPoolExecutor(1, "snapshot")
        self._files_thread = ThreadPoolExecutor(1, "files")
        self._snapshotter: Snapshotter | None = None
        self._first_frame = asyncio.Event()
        self._node = NodeReader(options.proc_root, options.sys_root)
        observation.collectors.declare(*COLLECTORS)
        if options.gates["PSICollector"]:
            observation.collectors.declare(PRESSURE)

    async def snapshots(self) -> None:
        """Every interval: all cgroups and the node, read at one moment."""
        async for _ in deadlines(self._options.collect_interval_s, self._now.pace):
            with self._now.collectors.round(NODE):
                self._take_node()  # /proc never makes its reader wait, so this needs no thread
            with self._now.collectors.round(CGROUPS):
                self._take_frame(await self._in(self._snapshot_thread, self._read_cgroups))

    async def cpu_info(self) -> None:
        """Now and then: CPU model and topology."""
        async for _ in deadlines(self._options.cpu_info_interval_s, Pace()):
            with self._now.collectors.round(CPU_INFO):
                self._now.node_info = await self._in(self._files_thread, self._read_info)

    async def storage(self) -> None:
        """Every interval: disks and filesystems; in a thread of its own because statvfs can hang."""
        reader: StorageReader | None = None
        thread = ThreadPoolExecutor(1, "storage")
        try:
            async for _ in deadlines(self._options.storage_interval_s, Pace()):
                with self._now.collectors.round(STORAGE):
                    reader = reader or StorageReader(self._options.proc_root)
                    self._now.storage = await self._in(thread, reader.read)
        finally:
            thread.shutdown(wait=False, cancel_futures=True)

    async def pressures(self) -> None:
        """Every interval: pressure averages of pods and containers."""
        async for _ in deadlines(self._options.psi_interval_s, Pace()):
            await self._first_frame.wait()
            with self._now.collectors.round(PRESSURE):
                tree = next((it.hierarchy for it in self._now.sources if it.group == "psi" and it.tier != "none"), None)
                if tree is None:
                    raise ProcError("cgroups", "no hierarchy with pressure files", "a cgroup v2 tree and CONFIG_PSI")
                root, groups = Path(tree), list(self._now.groups)
                self._now.pressures = await self._in(self._files_thread, partial(read_pressures, root, groups))

    def close(self) -> None:
        """Let go of threads and of the kernel's programs; nothing stays attached."""
        for thread in (self._snapshot_thread, self._files_thread):
            thread.shutdown(wait=False, cancel_futures=True)
        self._snapshotter = None

    async def _in(self, thread: ThreadPoolExecutor, read: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(thread, read)

    def _read_info(self) -> NodeInfo:
        return read_node_info(self._options.proc_root, self._options.sys_root)

    def _read_cgroups(self) -> Frame:
        if self._snapshotter is None:
            root = self._options.cgroup_root_dir
            self._snapshotter = Snapshotter(root=os.fspath(root) if root else None, tier=self._options.tier)
        return self._snapshotter.collect()

    def _take_node(self) -> None:
        info = self._now.node_info
        self._now.node = self._node.read(info.numa_of_cpu() if info else {})
        self._now.history.append_node(int(time.time() * 1000), self._now.node)

    def _take_frame(self, frame: Frame) -> None:
        now = self._now
        now.groups.apply(frame.appeared, frame.gone)
        now.history.append_frame(frame)
        if self._snapshotter is not None and (now.frame is None or frame.appeared):
            now.sources = self._snapshotter.sources()
            self._say_sources()
        now.frame = frame
        self._first_frame.set()

    def _say_sources(self) -> None:
        for source in self._now.sources:
            what = f"{source.group} of {source.hierarchy}"
            log.verbose(
                1, "source of cgroup values", what, tier=source.tier, source=source.source, reason=source.reason
            )

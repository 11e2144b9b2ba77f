"""What is known now: the newest result of every collector, replaced as a whole."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from koordlet.collect.deadlines import Pace
from koordlet.collect.disk import StorageSample
from koordlet.collect.frame import FrameView, RowSources, SourceView
from koordlet.collect.groups import GroupIndex
from koordlet.collect.history import WINDOWED, History
from koordlet.collect.node import NodeSample
from koordlet.collect.node_info import NodeInfo
from koordlet.collect.pressure import GroupPressure
from koordlet.collect.readiness import Collectors
from koordlet.collect.table import GroupRow, NodeRow, frame_columns, group_rows, node_row


@dataclass(slots=True)
class Observation:
    """The newest values; None before a collector's first round."""

    node_name: str
    default_runtime: str
    collect_interval_s: float
    history: History
    groups: GroupIndex
    collectors: Collectors
    pace: Pace
    decoder: RowSources
    frame: FrameView | None = None
    sources: Sequence[SourceView] = ()
    node: NodeSample | None = None
    node_info: NodeInfo | None = None
    storage: StorageSample | None = None
    pressures: tuple[GroupPressure, ...] | None = None

    def table(self, window_s: float) -> tuple[NodeRow, list[GroupRow]] | None:
        """The node and its cgroups with rates over the last `window_s`; None before the first round.

        What the history doesn't keep is over the last interval; all is when the window is no longer than that.
        """
        frame, node = self.frame, self.node
        if frame is None or node is None:
            return None
        newest = frame_columns(frame)
        end_ms = frame.wall_ms
        start_ms = end_ms - int((window_s - self.collect_interval_s / 2) * 1000)

        def means(name: str) -> Sequence[float | None]:
            return (
                self.history.group_means(WINDOWED[name], frame, start_ms, end_ms) if name in WINDOWED else newest(name)
            )

        is_window = window_s > self.collect_interval_s
        rows = group_rows(frame, self.groups, self.sources, self.decoder, means if is_window else newest)
        cpus = len(self.node_info.cpus) if self.node_info else os.cpu_count() or 0
        interval_s = window_s if is_window else self.collect_interval_s
        return node_row(self.node_name, cpus, node, frame, rows, interval_s), rows

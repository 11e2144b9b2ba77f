"""The table as plain text, for pipes and logs."""

from collections.abc import Sequence

from koord.cli.node_table.columns import COLUMNS, aligned, cell, cores, percent, size
from koord.cli.node_table.order import Line
from koordlet.collect.table import NodeRow


def summary(node: NodeRow) -> str:
    """The node on one line."""
    return (
        f"node {node.name}  cpu {cores(node.cpu_cores)} of {node.cpus} cores"
        f"  memory {size(float(node.memory_used_bytes))} of {size(float(node.memory_total_bytes))}"
        f"  cpu-wait {percent(node.psi_cpu_some)}"
        f"  mem-full {percent(node.psi_memory_full)}  io-full {percent(node.psi_io_full)}"
        f"  ({node.groups} cgroups, over {node.interval_s:.1f} s)"
    )


def text_table(lines: Sequence[Line]) -> str:
    """A header and one line per row, the cgroup's path last."""
    header = "  ".join([*(aligned(column, column.title) for column in COLUMNS), "CGROUP"])
    body = [
        "  ".join([*(cell(column, line.row) for column in COLUMNS), "  " * line.depth + line.row.cgroup])
        for line in lines
    ]
    return "\n".join([header, *body])

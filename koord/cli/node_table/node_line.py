"""The lines about the node and about the selected row."""

from rich.text import Text

from koord.cli.node_table.columns import BY_NAME, cores, percent, size
from koordlet.collect.table import GroupRow, NodeRow

_BAR_WIDTH = 20


def node_text(node: NodeRow, shown: int, part: str, state: str, problem: bool) -> Text:
    """Three lines: who, use, pressure."""
    cpu_share = (node.cpu_cores or 0.0) / node.cpus if node.cpus else 0.0
    memory_share = node.memory_used_bytes / node.memory_total_bytes if node.memory_total_bytes else 0.0
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(node.name, "bold")
    text.append(f"  {shown} of {node.groups} cgroups ({part})  snapshot {node.collect_ms:.2f} ms  ", "bright_black")
    text.append(f"{state}\n", "bold red" if problem else "bright_black")
    text.append("CPU ").append_text(_bar(cpu_share))
    text.append(f" {cores(node.cpu_cores)} of {node.cpus} cores   ")
    text.append("MEM ").append_text(_bar(memory_share))
    text.append(f" {size(float(node.memory_used_bytes))} of {size(float(node.memory_total_bytes))}\n")
    text.append("PRESSURE  ")
    for title, name, value in (
        ("cpu", "psi-cpu", node.psi_cpu_some),
        ("memory", "psi-memory", node.psi_memory_full),
        ("io", "psi-io", node.psi_io_full),
    ):
        text.append(f"{title} ").append(percent(value), _pressure_style(value, name)).append("   ")
    return text


def detail_text(row: GroupRow | None) -> Text:
    """Two lines: the path, and what the columns leave out."""
    text = Text(no_wrap=True, overflow="ellipsis")
    if row is None:
        return text.append("nothing to show", "bright_black")
    text.append(row.cgroup, "bold").append("\n")
    facts = [
        ("cpu full", percent(row.psi_cpu_full)),
        ("memory some", percent(row.psi_memory_some)),
        ("io some", percent(row.psi_io_some)),
        ("without page cache", size(row.memory_without_page_cache_bytes)),
        ("oom kills", f"{row.oom_kills:.0f}" if row.oom_kills is not None else "-"),
        ("read by", row.source or "-"),
    ]
    for title, value in facts:
        text.append(f"{title} ", "bright_black").append(f"{value}   ")
    return text


def _bar(share: float) -> Text:
    filled = round(min(1.0, max(0.0, share)) * _BAR_WIDTH)
    colour = "red" if share >= 0.9 else "yellow" if share >= 0.7 else "green"
    return Text().append("█" * filled, colour).append("░" * (_BAR_WIDTH - filled), "bright_black")


def _pressure_style(value: float | None, name: str) -> str:
    column = BY_NAME[name]
    if value is None:
        return "bright_black"
    return "bold red" if value >= column.hot else "yellow" if value >= column.warm else "green"

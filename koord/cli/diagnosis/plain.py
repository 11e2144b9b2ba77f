"""The report as text."""

from collections.abc import Sequence

from koord.cli.diagnosis.report import Cost, Report


def report_text(report: Report) -> str:
    """Sections for people: signals, what is missing, costs if measured."""
    verdict = "ok" if report.ok else "NOT OK: an essential signal has no source"
    parts = [f"kernel {report.kernel}   cgroup {report.cgroup}   {verdict}", "", "SIGNALS"]
    parts += columns(
        ["signal", "hierarchy", "tier", "source", "why not better"],
        [[it.name, it.hierarchy, it.tier, it.source or "-", it.reason or "-"] for it in report.signals],
    )
    parts += ["", "MISSING" if report.missing else "nothing is missing"]
    for missing in report.missing:
        parts += [f"  {missing.what}", f"    why:    {missing.why}", f"    remedy: {missing.remedy}"]
    if report.costs is not None:
        parts += ["", "COST OF BPF PROGRAMS", *cost_lines(report.costs)]
    return "\n".join(parts)


def cost_lines(costs: Sequence[Cost]) -> list[str]:
    """One line per program."""
    if not costs:
        return ["  no program of ours is loaded; is koordlet running?"]
    rows = [
        [
            it.program,
            str(it.id),
            str(it.runs),
            "-" if it.ns_per_run is None else f"{it.ns_per_run:.0f} ns",
            f"{it.cpu_share:.4%}",
        ]
        for it in costs
    ]
    return columns(["program", "id", "runs", "per run", "of one CPU"], rows)


def columns(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Left-aligned columns; the last one may be as long as it likes."""
    widths = [max(len(row[number]) for row in [titles, *rows]) for number in range(len(titles) - 1)]
    return [
        "  " + "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]])
        for row in [titles, *rows]
    ]

"""Which rows are shown and in which order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from koord.cli.node_table.columns import Column
from koordlet.collect.table import GroupRow

# Koordinator's class of a pod without a label, by its Kubernetes class.
_KOORD_QOS = {"Guaranteed": "LSR", "Burstable": "LS", "BestEffort": "BE"}


@dataclass(frozen=True, slots=True)
class Selection:
    """What is wanted: empty means everything."""

    text: str = ""
    """Part of the name, the path, the pod's UID or the container's id, whatever the case."""
    qos: str = ""
    """Kubernetes' or Koordinator's class, whatever the case."""
    kinds: frozenset[str] = frozenset()

    def takes(self, row: GroupRow) -> bool:
        """Whether the row is wanted."""
        return self._has_kind(row) and self._has_qos(row) and self._has_text(row)

    def _has_kind(self, row: GroupRow) -> bool:
        return not self.kinds or row.kind in self.kinds

    def _has_qos(self, row: GroupRow) -> bool:
        if not self.qos:
            return True
        wanted = self.qos.lower()
        return row.qos is not None and wanted in (row.qos.lower(), _KOORD_QOS.get(row.qos, "").lower())

    def _has_text(self, row: GroupRow) -> bool:
        wanted = self.text.lower()
        return any(wanted in text.lower() for text in (row.name, row.cgroup, row.pod_uid or "", row.container_id or ""))


@dataclass(frozen=True, slots=True)
class Line:
    """A row and how deep it stands in the tree; 0 in a flat list."""

    row: GroupRow
    depth: int


def flat(rows: Iterable[GroupRow], selection: Selection, column: Column, descending: bool) -> list[Line]:
    """The wanted rows, sorted; rows without a value come last, equal ones by path."""
    chosen = [row for row in rows if selection.takes(row)]
    return [Line(row, 0) for row in _sorted(chosen, column, descending)]


def tree(rows: Sequence[GroupRow], selection: Selection, column: Column, descending: bool) -> list[Line]:
    """The wanted rows below what they are part of, siblings sorted; what leads to a wanted row is shown too."""
    by_path = {row.cgroup: row for row in rows}
    wanted: set[str] = set()
    for row in rows:
        if selection.takes(row):
            path = row.cgroup
            while path in by_path and path not in wanted:
                wanted.add(path)
                path = _parent(path)
    children: dict[str, list[GroupRow]] = {}
    for path in wanted:
        children.setdefault(_parent(path) if path != "/" else "", []).append(by_path[path])
    lines: list[Line] = []
    pending = [(row, 0) for row in reversed(_sorted(children.get("", []), column, descending))]
    while pending:
        row, depth = pending.pop()
        lines.append(Line(row, depth))
        below = _sorted(children.get(row.cgroup, []), column, descending)
        pending.extend((child, depth + 1) for child in reversed(below))
    return lines


def _parent(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def _sorted(rows: list[GroupRow], column: Column, descending: bool) -> list[GroupRow]:
    known: list[tuple[float | str, GroupRow]] = []
    unknown: list[GroupRow] = []
    for row in rows:
        value = column.value(row)
        if value is None:
            unknown.append(row)
        else:
            known.append((value, row))
    known.sort(key=lambda pair: pair[1].cgroup)
    known.sort(key=lambda pair: pair[0], reverse=descending)  # pyright: ignore[reportCallIssue, reportArgumentType] - one type per column
    return [row for _, row in known] + sorted(unknown, key=lambda row: row.cgroup)

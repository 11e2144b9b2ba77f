"""The cgroups that are known now: identified once, when they appear."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from koordlet.discover.identity import Identity, identify


@dataclass(frozen=True, slots=True)
class Group:
    """One cgroup; `key` is never used for another one by the same snapshotter."""

    key: int
    path: str
    parent: int
    identity: Identity


class GroupIndex:
    """Cgroups by key. Work is proportional to what appeared and went, not to what is there."""

    def __init__(self) -> None:
        self._groups: dict[int, Group] = {}

    def apply(self, appeared: Iterable[tuple[int, str, int]], gone: Iterable[int]) -> None:
        """Take over the changes of one frame."""
        for key in gone:
            self._groups.pop(key, None)
        for key, path, parent in appeared:
            self._groups[key] = Group(key, path, parent, identify(path))

    def get(self, key: int) -> Group | None:
        """The cgroup, or None once it is gone."""
        return self._groups.get(key)

    def __len__(self) -> int:
        return len(self._groups)

    def __iter__(self) -> Iterator[Group]:
        return iter(self._groups.values())

    def count_by_kind(self) -> dict[str, int]:
        """How many cgroups of each kind there are."""
        counts: dict[str, int] = {}
        for group in self._groups.values():
            counts[group.identity.kind] = counts.get(group.identity.kind, 0) + 1
        return counts

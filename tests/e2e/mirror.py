"""A handler that believes nothing: it keeps its own copy from changes alone, and objects to each that does not fit."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from koord.api.meta import Object
from koord.kube.changes import Change
from koord.kube.objects import key_of

V = TypeVar("V", bound=Object)


@dataclass
class Mirror(Generic[V]):
    """The copy, every version that was told, and what was wrong."""

    name: str
    copy: dict[str, V] = field(default_factory=dict[str, V])
    told: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    deleted: Counter[str] = field(default_factory=Counter[str])
    faults: list[str] = field(default_factory=list[str])

    def __call__(self, change: Change[V]) -> None:
        metadata = change.subject.metadata
        key = key_of(metadata)
        known = self.copy.get(key)
        if change.old is None and known is not None:
            self.faults.append(f"{self.name} {key}: added twice, {known.metadata.resource_version} is known")
        if change.old is not None and known is None:
            self.faults.append(f"{self.name} {key}: {change.type} without having been added")
        if change.new is None:
            self.copy.pop(key, None)
            self.deleted[metadata.uid] += 1
            return
        if change.old is not None and known is not None:
            self._check_update(key, known, change.old, change.new)
        self.copy[key] = change.new
        self.told[metadata.uid, metadata.resource_version] += 1

    def _check_update(self, key: str, known: V, old: V, new: V) -> None:
        if old.metadata.resource_version != known.metadata.resource_version:
            self.faults.append(
                f"{self.name} {key}: old is {old.metadata.resource_version}, told before was "
                f"{known.metadata.resource_version}"
            )
        if new.metadata.uid != known.metadata.uid:
            self.faults.append(f"{self.name} {key}: became another object without a deletion")
        if int(new.metadata.resource_version) <= int(known.metadata.resource_version):
            self.faults.append(
                f"{self.name} {key}: went back from {known.metadata.resource_version} to "
                f"{new.metadata.resource_version}"
            )

"""The objects an informer knows, by key and by declared indexes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, ValuesView
from typing import TypeVar

V = TypeVar("V")

IndexFunction = Callable[[V], Iterable[str]]


class Store(Mapping[str, V]):
    """Objects by key. Readers see it change between two awaits, never in the middle of one step."""

    def __init__(self, indexes: Mapping[str, IndexFunction[V]] | None = None) -> None:
        self._objects: dict[str, V] = {}
        self._functions = dict(indexes or {})
        self._indexes: dict[str, dict[str, set[str]]] = {name: {} for name in self._functions}

    def __len__(self) -> int:
        return len(self._objects)

    def __iter__(self) -> Iterator[str]:
        return iter(self._objects)

    def __getitem__(self, key: str) -> V:
        return self._objects[key]

    def values(self) -> ValuesView[V]:
        """The objects, as a live view; copy it to await while going through it."""
        return self._objects.values()

    def by_index(self, index: str, value: str) -> list[V]:
        """The objects for which the index function gave this value; KeyError for an index that was not declared."""
        return [self._objects[key] for key in self._indexes[index].get(value, ())]

    def index_values(self, index: str) -> Iterable[str]:
        """All values an index has now, as a live view."""
        return self._indexes[index].keys()

    def put(self, key: str, value: V) -> V | None:
        """Add or replace an object; returns the one that was there."""
        old = self._objects.get(key)
        for name, function in self._functions.items():
            index = self._indexes[name]
            after = set(function(value))
            before = set(function(old)) if old is not None else set[str]()
            _unindex(index, before - after, key)
            for entry in after - before:
                index.setdefault(entry, set()).add(key)
        self._objects[key] = value
        return old

    def remove(self, key: str) -> V | None:
        """Remove an object; returns the one that was there."""
        old = self._objects.pop(key, None)
        if old is not None:
            for name, function in self._functions.items():
                _unindex(self._indexes[name], set(function(old)), key)
        return old


def _unindex(index: dict[str, set[str]], entries: set[str], key: str) -> None:
    for entry in entries:
        keys = index[entry]
        keys.discard(key)
        if not keys:
            del index[entry]

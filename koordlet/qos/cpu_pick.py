"""Picks CPUs for best-effort work: spread over NUMA nodes, whole physical cores first, the same ones each time."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Cpu:
    """A logical CPU with the ids of the core, socket and NUMA node it belongs to."""

    cpu: int
    core: int
    socket: int
    node: int


def pick(count: int, pool: Iterable[Cpu]) -> frozenset[int]:
    """`count` CPUs of the pool; none at all when the pool is smaller."""
    places = _by_place(pool)
    if sum(map(len, places)) < count:
        return frozenset()
    picked: set[int] = set()
    turn = deque(places)
    # Pairs of sibling threads, one from each place in turn, until no place has one left.
    without_pair = 0
    while count - len(picked) > 1 and without_pair < len(turn):
        pair = _free_pair(turn[0], picked)
        without_pair = 0 if pair else without_pair + 1
        picked |= pair
        turn.rotate(-1)
    while len(picked) < count:
        single = next((each.cpu for each in turn[0] if each.cpu not in picked), None)
        if single is not None:
            picked.add(single)
        turn.rotate(-1)
    return frozenset(picked)


def _by_place(pool: Iterable[Cpu]) -> list[list[Cpu]]:
    """CPUs by NUMA node and socket, the place with most CPUs first; inside, the threads of a core are neighbours."""
    places: dict[tuple[int, int], list[Cpu]] = {}
    for each in sorted(pool, key=lambda each: (each.core, each.cpu)):
        places.setdefault((each.node, each.socket), []).append(each)
    return sorted(places.values(), key=lambda cpus: (-len(cpus), cpus[0].cpu))


def _free_pair(cpus: list[Cpu], picked: set[int]) -> set[int]:
    free = [each for each in cpus if each.cpu not in picked]
    pairs = ({one.cpu, other.cpu} for one, other in zip(free, free[1:], strict=False) if one.core == other.core)
    return next(pairs, set())

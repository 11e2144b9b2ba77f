"""Picks CPUs for best-effort work: spread over NUMA nodes, whole physical cores first, the same ones each time."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, pairwise


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
    # Pairs of sibling threads, one from each place in turn, until a whole turn finds none.
    step, found = 0, True
    while count - len(picked) > 1:
        if step % len(places) == 0:
            if not found:
                break
            found = False
        pair = _free_pair(turn[0], picked)
        found = found or bool(pair)
        picked |= pair
        turn.rotate(-1)
        step += 1
    # Then single CPUs, from where the turn stands.
    while len(picked) < count:
        picked |= {each.cpu for each in islice((each for each in turn[0] if each.cpu not in picked), 1)}
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
    pairs = ({one.cpu, other.cpu} for one, other in pairwise(free) if one.core == other.core)
    return next(pairs, set[int]())

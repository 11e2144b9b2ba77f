"""Evictions of one round: tasks that must free resources, and the walk over their victims."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Target(StrEnum):
    """What an eviction is credited with."""

    USED = "podUsed"
    REQUEST = "podResourceRequest"


class Status(StrEnum):
    """What became of a gate in this round."""

    INVALID = "invalidConfig"
    IDLE = "notTriggered"
    TRIGGERED = "triggered"


@dataclass(frozen=True)
class Victim:
    """A pod that may be evicted, and what that frees (milli-cores or bytes by resource name)."""

    uid: str
    frees: Mapping[str, int]


@dataclass(frozen=True)
class Task:
    """A gate's need; `to_release` is in milli-cores or bytes by resource name, `victims` in eviction order."""

    gate: str
    status: Status
    target: Target = Target.USED
    to_release: Mapping[str, int] = field(default_factory=dict[str, int])
    victims: Sequence[Victim] = ()
    reason: str = field(default="", compare=False)


def run(tasks: Sequence[Task], evicted_before: Collection[str], evict: Callable[[str, Task], bool]) -> list[str]:
    """Evict until every task has what it needs, and not one pod more; returns the UIDs evicted now.

    A pod that was evicted earlier and is still there counts as released to be. `evict(uid, task)` says whether it
    succeeded; a refusal passes on to the next victim.
    """
    triggered = [task for task in tasks if task.status is Status.TRIGGERED]
    freed: dict[tuple[Target, str], int] = {}
    handled: set[str] = set()
    evicted: list[str] = []
    for task in triggered:
        for victim in task.victims:
            if _satisfied(task, freed):
                break
            if victim.uid in handled:
                continue
            handled.add(victim.uid)
            if victim.uid not in evicted_before:
                if not evict(victim.uid, task):
                    continue
                evicted.append(victim.uid)
            _credit(victim, task, triggered, freed)
    return evicted


def _satisfied(task: Task, freed: Mapping[tuple[Target, str], int]) -> bool:
    return all(freed.get((task.target, name), 0) >= need for name, need in task.to_release.items() if need > 0)


def _credit(victim: Victim, task: Task, tasks: Sequence[Task], freed: dict[tuple[Target, str], int]) -> None:
    """Credit what the victim frees to this task and, as each of them measures it, to tasks of another target."""
    credit = {(task.target, name): amount for name, amount in victim.frees.items()}
    for other in tasks:
        if other.target is not task.target:
            records = (each for each in other.victims if each.uid == victim.uid)
            for record in records:
                for name, amount in record.frees.items():
                    credit[other.target, name] = max(credit.get((other.target, name), 0), amount)
    for key, amount in credit.items():
        freed[key] = freed.get(key, 0) + amount

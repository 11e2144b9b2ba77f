"""CPU suppression: best-effort work gets what latency-sensitive work leaves of the node, and shrinks at once.

Each round turns usage into a budget of milli-cores and the budget into a cpuset or a CFS quota of the best-effort
tree. Formulas as in Koordinator's CPU suppress strategy.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from koord.api.qos import QoSClass
from koord.api.slo.threshold import ResourceThresholdStrategy
from koordlet.qos.cfs import PERIOD_US, UNLIMITED
from koordlet.qos.cpu_pick import Cpu, pick

MIN_CPUS: Final = 2
MIN_QUOTA_US: Final = 2_000
MAX_GROWTH: Final = 0.1
"""Share of the node by which best-effort work may grow in one round; it shrinks without a limit."""
INSIGNIFICANT: Final = 0.01
"""Share of the node below which a change of quota is not worth a write."""


class Suppression(StrEnum):
    """What holds best-effort work down."""

    CPUSET = "cpuset"
    QUOTA = "cfsQuota"


@dataclass(frozen=True)
class Use:
    """CPU in use, in cores."""

    cores: float
    best_effort: bool


@dataclass(frozen=True)
class NodeCpus:
    """What the node has.

    `annotated_milli` is set aside by the node's reservation; `closed` CPUs are for no pod: reserved, or the system's
    own; `static_manager`: kubelet hands out CPUs itself and owns the cpusets above containers.
    """

    capacity_milli: int
    allocatable_milli: int
    annotated_milli: int
    cpus: Sequence[Cpu]
    closed: frozenset[int]
    static_manager: bool


@dataclass(frozen=True)
class Bound:
    """A pod that CPUs are bound to, in the order of the pod list."""

    qos: QoSClass
    cpus: frozenset[int]


@dataclass(frozen=True)
class Round:
    """Everything one round looks at; `current_*` is what the BestEffort directory holds."""

    node: NodeCpus
    node_used_cores: float
    pods: Sequence[Use]
    host_applications: Sequence[Use]
    bound: Sequence[Bound]
    current_cpus: frozenset[int]
    current_quota_us: int


@dataclass(frozen=True)
class Cpuset:
    """CPUs for the BestEffort directory, the pods below it and their containers; None leaves a level alone."""

    best_effort: frozenset[int] | None
    pods: frozenset[int] | None
    containers: frozenset[int] | None


@dataclass(frozen=True)
class Decision:
    """What to write: a quota (None: leave it) and cpusets, both with the reason, and what suppresses now."""

    using: Suppression | None
    quota_us: int | None
    cpuset: Cpuset
    reason: str = field(compare=False)


def budget_milli(state: Round, threshold: ResourceThresholdStrategy) -> int:
    """Milli-cores that best-effort work may use.

    capacity * threshold % - what pods and host applications of higher classes use - what the system uses, which is
    at least what is reserved; never below the configured minimum.
    """
    node = state.node
    allowed = node.capacity_milli * (threshold.cpu_suppress_threshold_percent or 0) // 100
    accounted = _cores(state.pods) + _cores(state.host_applications)
    reserved = max(node.capacity_milli - node.allocatable_milli, node.annotated_milli, 0)
    system = max(int((state.node_used_cores - accounted) * 1000), reserved)
    groups = (state.pods, state.host_applications)
    protected = sum(int(_cores(use for use in uses if not use.best_effort) * 1000) for uses in groups)
    budget = allowed - protected - system
    if threshold.cpu_suppress_min_percent is not None:
        budget = max(budget, node.capacity_milli * threshold.cpu_suppress_min_percent // 100)
    return budget


def decide(state: Round, threshold: ResourceThresholdStrategy) -> Decision:
    """Suppress by the means that the policy names; the other one is lifted."""
    budget = budget_milli(state, threshold)
    if threshold.cpu_suppress_policy == Suppression.QUOTA:
        quota_us = next_quota(budget, state.node.capacity_milli, state.current_quota_us)
        return Decision(Suppression.QUOTA, quota_us, _everywhere(open_cpus(state)), f"budget {budget}m")
    cpus = suppressed_cpus(budget, state) or None
    above = open_cpus(state) if state.node.static_manager else cpus
    reason = f"budget {budget}m: " + (f"{len(cpus)} CPUs" if cpus else "no CPUs to choose from")
    return Decision(Suppression.CPUSET, UNLIMITED, Cpuset(above, above, cpus), reason)


def lift(state: Round, reason: str) -> Decision:
    """Suppress nothing: every CPU that best-effort work may use at all, and no quota."""
    return Decision(None, UNLIMITED, _everywhere(open_cpus(state)), reason)


def open_cpus(state: Round) -> frozenset[int]:
    """CPUs that best-effort work may use when nothing suppresses it: all but closed ones and those of LSE pods."""
    taken = (pod.cpus for pod in state.bound if pod.qos is QoSClass.LSE)
    return frozenset(each.cpu for each in state.node.cpus).difference(state.node.closed, *taken)


def suppressed_cpus(budget: int, state: Round) -> frozenset[int]:
    """CPUs for a budget, shared out over the CPUs of LSR pods and the others by their number.

    Empty when there is none to choose from, or when a pool is too small for its share.
    """
    node = state.node
    wanted = max(math.ceil(budget / 1000), MIN_CPUS)
    wanted = min(wanted, len(state.current_cpus) + math.ceil(len(node.cpus) * MAX_GROWTH))
    owners = {cpu: pod.qos for pod in state.bound for cpu in pod.cpus}  # of several owners the last counts
    usable = [each for each in node.cpus if each.cpu not in node.closed and owners.get(each.cpu) is not QoSClass.LSE]
    reserved = [each for each in usable if owners.get(each.cpu) is QoSClass.LSR]
    shared = [each for each in usable if owners.get(each.cpu) is not QoSClass.LSR]
    if not usable:
        return frozenset()
    of_reserved = wanted * len(reserved) // len(usable)
    return pick(of_reserved, reserved) | pick(wanted - of_reserved, shared)


def next_quota(budget: int, capacity_milli: int, current_us: int) -> int | None:
    """Quota of the best-effort tree in µs per period; None when it is not worth a change."""
    wanted_us = max(budget * PERIOD_US // 1000, MIN_QUOTA_US)
    node_us = math.ceil(capacity_milli / 1000) * PERIOD_US
    if abs(wanted_us - current_us) < node_us * INSIGNIFICANT and wanted_us != MIN_QUOTA_US:
        return None
    if wanted_us - current_us > node_us * MAX_GROWTH and current_us != UNLIMITED:
        return current_us + int(node_us * MAX_GROWTH)
    return wanted_us


def _cores(uses: Iterable[Use]) -> float:
    return sum(use.cores for use in uses)


def _everywhere(cpus: frozenset[int]) -> Cpuset:
    return Cpuset(cpus, cpus, cpus)

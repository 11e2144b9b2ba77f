"""Memory QoS: what is protected, throttled and reclaimed early, for every class, pod and container.

A setting that is not given leaves its file alone. Formulas as in Koordinator's cgroup reconcile.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from koord.api.names.resources import RESOURCE_BATCH_MEMORY, RESOURCE_MEMORY
from koord.api.payloads.qos import PodMemoryQOS
from koord.api.qos import KubernetesQoS, QoSClass
from koord.api.quantity import Quantity
from koord.api.slo.resourceqos import MemoryQOS, ResourceQOSStrategy
from koord.api.sloconfig.merge import merged
from koordlet.states.pods import PodFacts, amount

UNLIMITED: Final = 2**63 - 1
"""What `memory.high` takes for none."""

NEUTRAL: Final = MemoryQOS(
    enable=False,
    min_limit_percent=0,
    low_limit_percent=0,
    throttling_percent=0,
    wmark_ratio=0,
    wmark_scale_permill=50,
    wmark_min_adj=0,
    priority_enable=0,
    priority=0,
    oom_kill_group=0,
)
"""Settings that undo whatever was set before."""

_LATENCY_SENSITIVE: Final = msgspec.structs.replace(NEUTRAL, wmark_ratio=95, wmark_scale_permill=20, wmark_min_adj=-25)
RECOMMENDED: Final[Mapping[QoSClass, MemoryQOS]] = {
    QoSClass.LSR: _LATENCY_SENSITIVE,
    QoSClass.LS: _LATENCY_SENSITIVE,
    QoSClass.BE: msgspec.structs.replace(_LATENCY_SENSITIVE, wmark_min_adj=50),
    QoSClass.SYSTEM: NEUTRAL,
}
"""What a class gets where neither node nor pod say otherwise."""

Values = dict[str, int]
"""Knob (the v1 and v2 file of the same name) to value in bytes, percent or switch."""


@dataclass(frozen=True)
class Plan:
    """Values by Kubernetes QoS class (the class's directory), pod UID and container id."""

    classes: dict[KubernetesQoS, Values]
    pods: dict[str, Values]
    containers: dict[str, Values]


def effective_classes(strategy: ResourceQOSStrategy) -> dict[QoSClass, MemoryQOS]:
    """The settings of each class: the node's laid over the recommended ones; a disabled class is neutral.

    The system class has no switch: its settings act in any case.
    """
    given = {
        QoSClass.LSR: strategy.lsr_class,
        QoSClass.LS: strategy.ls_class,
        QoSClass.BE: strategy.be_class,
        QoSClass.SYSTEM: strategy.system_class,
    }
    effective: dict[QoSClass, MemoryQOS] = {}
    for qos, settings in given.items():
        own = settings.memory_qos if settings is not None else None
        base = msgspec.structs.replace(RECOMMENDED[qos], enable=False)
        settled = merged(base, own) if own is not None else base
        effective[qos] = NEUTRAL if qos is not QoSClass.SYSTEM and not settled.enable else settled
    return effective


def pod_settings(facts: PodFacts, classes: Mapping[QoSClass, MemoryQOS], own: PodMemoryQOS | None) -> MemoryQOS:
    """The settings of one pod: those of its class, changed as its annotation says, even if the class is disabled."""
    qos = QoSClass.LSR if facts.qos is QoSClass.LSE else facts.qos
    if own is None:
        return classes[qos]
    if own.policy == "none":
        return NEUTRAL
    base = RECOMMENDED[qos] if own.policy == "auto" else classes[qos]
    return merged(base, MemoryQOS(**{name: getattr(own, name) for name in MemoryQOS.__struct_fields__}))


def decide(
    pods: Iterable[tuple[PodFacts, MemoryQOS]],
    classes: Mapping[QoSClass, MemoryQOS],
    *,
    node_allocatable_bytes: int,
    page_size: int,
    page_cache_limit: bool,
) -> Plan:
    """Values for all active pods with their settings, their containers and the class directories.

    `page_cache_limit`: the kernel can limit a pod's page cache.
    """
    plan = Plan(_class_values(classes), {}, {})
    protected: dict[KubernetesQoS, list[Values]] = {qos: [] for qos in KubernetesQoS}
    for facts, settings in pods:
        if not facts.active:
            continue
        ids = facts.container_ids()
        for container in facts.pod.spec.containers:
            if container.name in ids:
                request = _bytes(facts, container.resources.requests)
                limit = _bytes(facts, container.resources.limits) or node_allocatable_bytes
                values = _protection(settings, request) | _plain(settings)
                values |= _throttling(settings, request, limit, page_size, values.get("memory.min", 0))
                plan.containers[ids[container.name]] = values
        request = _pod_bytes(facts, limits=False)
        protected[facts.kubernetes_qos].append(_protected(settings, request))
        pod = _protection(settings, request)
        if page_cache_limit:
            pod = pod | _page_cache(settings, _pod_bytes(facts, limits=True))
        plan.pods[facts.uid] = pod | _plain(settings)
    _protect_classes(plan, protected)
    return plan


def _class_values(classes: Mapping[QoSClass, MemoryQOS]) -> dict[KubernetesQoS, Values]:
    of_directory = {
        KubernetesQoS.GUARANTEED: QoSClass.LSR,
        KubernetesQoS.BURSTABLE: QoSClass.LS,
        KubernetesQoS.BEST_EFFORT: QoSClass.BE,
    }
    return {directory: _oom(classes[qos]) for directory, qos in of_directory.items()}


def _protect_classes(plan: Plan, protected: Mapping[KubernetesQoS, list[Values]]) -> None:
    """A class protects what its pods do; the Guaranteed directory is the root of all."""
    everything = [values for group in protected.values() for values in group]
    for directory, group in {**protected, KubernetesQoS.GUARANTEED: everything}.items():
        for knob in ("memory.min", "memory.low"):
            amounts = [values[knob] for values in group if knob in values]
            if amounts:
                plan.classes[directory][knob] = sum(amounts)


def _protected(settings: MemoryQOS, request: int) -> Values:
    percents = {"memory.min": settings.min_limit_percent, "memory.low": settings.low_limit_percent}
    return {knob: request * percent // 100 for knob, percent in percents.items() if percent is not None}


def _protection(settings: MemoryQOS, request: int) -> Values:
    """Best-effort protection (low) is at least the hard one (min), unless it is 0."""
    values = _protected(settings, request)
    if values.get("memory.low", 0) > 0:
        values["memory.low"] = max(values["memory.low"], values.get("memory.min", 0))
    return values


def _throttling(settings: MemoryQOS, request: int, limit: int, page_size: int, minimum: int) -> Values:
    percent = settings.throttling_percent
    if percent is None:
        return {}
    if percent == 0:
        return {"memory.high": UNLIMITED}
    # float64 before the truncation, as the reference computes it
    high = (request + int((limit - request) * (percent / 100))) // page_size * page_size
    return {"memory.high": max(high, minimum) if high > 0 else high}


def _plain(settings: MemoryQOS) -> Values:
    watermarks = {
        "memory.wmark_ratio": settings.wmark_ratio,
        "memory.wmark_scale_factor": settings.wmark_scale_permill,
        "memory.wmark_min_adj": settings.wmark_min_adj,
    }
    return {knob: value for knob, value in watermarks.items() if value is not None} | _oom(settings)


def _oom(settings: MemoryQOS) -> Values:
    values = {
        "memory.use_priority_oom": settings.priority_enable,
        "memory.priority": settings.priority,
        "memory.oom.group": settings.oom_kill_group,
    }
    return {knob: value for knob, value in values.items() if value is not None}


def _page_cache(settings: MemoryQOS, pod_limit: int) -> Values:
    size: int | None = None
    if settings.page_cache_limit_size is not None:
        size = min(settings.page_cache_limit_size, pod_limit) if pod_limit > 0 else settings.page_cache_limit_size
    elif settings.page_cache_limit_percent is not None and pod_limit > 0:
        size = pod_limit * settings.page_cache_limit_percent // 100
    values: Values = {}
    if size is not None:
        values = {"memory.pagecache_limit.enable": int(size > 0), "memory.pagecache_limit.size": size}
        if size > 0:
            values["memory.pagecache_limit.sync"] = int(settings.page_cache_reclaim_sync or False)
    if settings.page_cache_enable is not None:
        values["memory.pagecache_limit.enable"] = int(settings.page_cache_enable)
    return values


def _bytes(facts: PodFacts, resources: dict[str, Quantity]) -> int:
    name = RESOURCE_BATCH_MEMORY if facts.raw_qos is QoSClass.BE else RESOURCE_MEMORY
    return max(amount(resources, name).value(), 0)


def _pod_bytes(facts: PodFacts, *, limits: bool) -> int:
    """Sum over the lasting containers; a container without a limit adds nothing."""
    resources = (container.resources for container in facts.lasting_containers())
    return sum(_bytes(facts, each.limits if limits else each.requests) for each in resources)

"""CPU shares, CFS quota and memory limit of a best-effort pod, from its batch resources."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from koord.api.names.resources import RESOURCE_BATCH_CPU, RESOURCE_BATCH_MEMORY
from koord.api.quantity import Quantity
from koordlet.qos.cfs import UNLIMITED, quota_of, shares_of
from koordlet.states.pods import Phase, peak


@dataclass(frozen=True)
class BatchResources:
    """What one container has of batch resources, in milli-cores and bytes; None or 0 is no limit."""

    request_milli: int | None
    limit_milli: int | None
    limit_bytes: int | None
    phase: Phase = Phase.APP

    @classmethod
    def of(
        cls, requests: Mapping[str, Quantity], limits: Mapping[str, Quantity], phase: Phase = Phase.APP
    ) -> "BatchResources | None":
        """Read a container's resources; None when they name no batch resource."""
        names = (RESOURCE_BATCH_CPU, RESOURCE_BATCH_MEMORY)
        if not any(name in resources for name in names for resources in (requests, limits)):
            return None
        request, limit, memory = requests.get(names[0]), limits.get(names[0]), limits.get(names[1])
        return cls(
            request_milli=None if request is None else request.value(),
            limit_milli=None if limit is None else limit.value(),
            limit_bytes=None if memory is None else memory.value(),
            phase=phase,
        )


@dataclass(frozen=True)
class Limits:
    """Values for a pod's or a container's cgroup; -1 is unlimited."""

    cpu_shares: int
    cfs_quota_us: int
    memory_limit_bytes: int


def container_limits(batch: BatchResources, *, suppressed_by_quota: bool, normalization_ratio: float) -> Limits:
    """Limits of one container.

    `suppressed_by_quota`: the quota of all best-effort pods together is what limits them, so their own is lifted.
    `normalization_ratio`: how much faster this CPU model is than the one that requests are meant for; 1 or less
    changes nothing.
    """
    return _limits(
        batch.request_milli or 0,
        _or_unlimited(batch.limit_milli),
        _or_unlimited(batch.limit_bytes),
        suppressed_by_quota=suppressed_by_quota,
        normalization_ratio=normalization_ratio,
    )


def pod_limits(
    containers: Iterable[BatchResources], *, suppressed_by_quota: bool, normalization_ratio: float
) -> Limits:
    """Limits of the pod: enough for whatever of its containers run at the same time.

    Those are, for each init container, itself and the sidecars started before it, and then all sidecars and app
    containers. One without a limit makes the pod unlimited.
    """
    containers = list(containers)
    return _limits(
        peak((max(each.request_milli or 0, 0), each.phase) for each in containers),
        _peak_limit((each.limit_milli, each.phase) for each in containers),
        _peak_limit((each.limit_bytes, each.phase) for each in containers),
        suppressed_by_quota=suppressed_by_quota,
        normalization_ratio=normalization_ratio,
    )


def _peak_limit(limits: Iterable[tuple[int | None, Phase]]) -> int:
    known: list[tuple[int, Phase]] = []
    for limit, phase in limits:
        if _or_unlimited(limit) == UNLIMITED or limit is None:
            return UNLIMITED
        known.append((limit, phase))
    return peak(known)


def _or_unlimited(limit: int | None) -> int:
    return limit if limit is not None and limit > 0 else UNLIMITED


def _limits(
    request_milli: int, limit_milli: int, limit_bytes: int, *, suppressed_by_quota: bool, normalization_ratio: float
) -> Limits:
    quota_us = UNLIMITED if suppressed_by_quota else quota_of(limit_milli)
    if quota_us > 0 and normalization_ratio > 1:
        quota_us = math.ceil(quota_us / normalization_ratio)
    return Limits(shares_of(request_milli), quota_us, limit_bytes)

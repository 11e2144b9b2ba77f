"""Pods and containers as the kubelet's cgroupfs driver lays them out, with made-up UIDs."""

import uuid
from dataclasses import dataclass

QOS_PARENTS = ("kubepods", "kubepods/burstable", "kubepods/besteffort")
"""Guaranteed pods are right below `kubepods`."""


@dataclass(frozen=True)
class Layout:
    """Cgroup names, parents before children, which of them are containers, and the pods' UIDs."""

    names: list[str]
    containers: list[str]
    pod_uids: list[str]


def kubelet_layout(pods: int, containers_per_pod: int) -> Layout:
    """The cgroups of a node with that many pods, spread over the three QoS classes."""
    names: list[str] = [*QOS_PARENTS]
    containers: list[str] = []
    uids = [str(uuid.uuid4()) for _ in range(pods)]
    for number, uid in enumerate(uids):
        pod = f"{QOS_PARENTS[number % len(QOS_PARENTS)]}/pod{uid}"
        inside = [f"{pod}/{uuid.uuid4().hex}{uuid.uuid4().hex}" for _ in range(containers_per_pod)]
        names += [pod, *inside]
        containers += inside
    return Layout(names, containers, uids)

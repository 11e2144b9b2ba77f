"""Random writes to a cluster, each written down, so that what others saw can be compared with what was done."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson

from koord.api.core.configmap import ConfigMap
from koord.api.meta import Object
from koord.api.quota.elasticquotaprofile import ElasticQuotaProfile
from koord.api.scheduling.device import Device
from koord.api.scheduling.podmigrationjob import PodMigrationJob
from koord.api.scheduling.reservation import Reservation
from koord.api.sigs.podgroup import PodGroup
from koord.api.slo.nodemetric import NodeMetric
from koord.api.slo.nodeslo import NodeSLO
from koord.kube.client import KubeClient

NAMES = 25

SPECS: dict[type[Object], Callable[[int], dict[str, Any]]] = {
    ConfigMap: lambda n: {"data": {"value": str(n), "padding": "é" * (n % 300)}},
    PodGroup: lambda n: {"spec": {"minMember": n % 50 + 1, "scheduleTimeoutSeconds": n % 100 + 1}},
    ElasticQuotaProfile: lambda n: {
        "spec": {"quotaName": f"quota-{n}", "quotaLabels": {"number": str(n)}, "nodeSelector": {}}
    },
    NodeMetric: lambda n: {"spec": {"metricCollectPolicy": {"reportIntervalSeconds": n % 60 + 1}}},
    NodeSLO: lambda n: {"spec": {"resourceUsedThresholdWithBE": {"cpuSuppressThresholdPercent": n % 100}}},
    Device: lambda n: {"spec": {"devices": [{"type": "gpu", "minor": n % 8, "health": True, "id": f"GPU-{n}"}]}},
    Reservation: lambda n: {
        "spec": {
            "owners": [{"labelSelector": {"matchLabels": {"app": f"app-{n}"}}}],
            "template": {"spec": {"containers": [{"name": "main", "image": f"image:{n}"}]}},
            "ttl": f"{n % 24 + 1}h",
        }
    },
    PodMigrationJob: lambda n: {"spec": {"podRef": {"namespace": "default", "name": f"pod-{n}"}, "ttl": "5m0s"}},
}


@dataclass
class Traffic:
    """Creates, changes and deletes objects of all `SPECS`; names are reused, so deleted objects come back as others."""

    client: KubeClient
    namespace: str
    seed: int
    per_second: float
    versions: dict[type[Object], set[tuple[str, str]]] = field(default_factory=lambda: {kind: set() for kind in SPECS})
    deletions: dict[type[Object], set[str]] = field(default_factory=lambda: {kind: set() for kind in SPECS})
    writes: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._alive: dict[type[Object], dict[str, str]] = {kind: {} for kind in SPECS}
        self._prefix = f"traffic-{self.seed}"

    async def run(self, seconds: float) -> None:
        """Write until the time is over."""
        loop = asyncio.get_running_loop()
        end, due = loop.time() + seconds, loop.time()
        while loop.time() < end:
            await self.write()
            due = max(due + 1 / self.per_second, loop.time() - 1)
            await asyncio.sleep(max(0.0, due - loop.time()))

    async def write(self) -> None:
        """One random write."""
        kind = self._random.choice(list(SPECS))
        name = f"{self._prefix}-{self._random.randrange(NAMES)}"
        alive = self._alive[kind]
        self.writes += 1
        if name not in alive:
            await self._create(kind, name)
        elif self._random.random() < 0.2:
            await self._delete(kind, name)
        else:
            await self._change(kind, name)

    async def clear(self) -> None:
        """Delete what is left."""
        for kind, alive in self._alive.items():
            for name in list(alive):
                await self._delete(kind, name)

    async def _create(self, kind: type[Object], name: str) -> None:
        resource = kind.RESOURCE
        metadata = {"name": name, "labels": {"traffic": str(self.seed)}}
        document = {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": metadata}
        document |= SPECS[kind](self._random.randrange(100_000))
        made = await self.client.post(resource.path(self.namespace), document)
        self._note(kind, made)
        self._alive[kind][name] = made["metadata"]["uid"]

    async def _change(self, kind: type[Object], name: str) -> None:
        document = SPECS[kind](self._random.randrange(100_000))
        document["metadata"] = {"annotations": {"write": str(self.writes)}}
        path = kind.RESOURCE.path(self.namespace, name)
        body = await self.client.request(
            "PATCH", path, body=orjson.dumps(document), media_type="application/merge-patch+json"
        )
        self._note(kind, orjson.loads(body))

    async def _delete(self, kind: type[Object], name: str) -> None:
        await self.client.request("DELETE", kind.RESOURCE.path(self.namespace, name))
        self.deletions[kind].add(self._alive[kind].pop(name))

    def _note(self, kind: type[Object], document: dict[str, Any]) -> None:
        metadata = document["metadata"]
        self.versions[kind].add((metadata["uid"], metadata["resourceVersion"]))

"""Simulated nodes: Node objects, and the part of a kubelet that others can see."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar

import orjson

from koord.api.base import View
from koord.api.core.node import Node
from koord.api.core.pod import Pod
from koord.api.resource import Resource
from koord.kube.changes import Change
from koord.kube.client import KubeClient
from koord.kube.errors import NotFoundError
from koord.kube.informer import Informer
from koord.kube.objects import key_of, split_key
from koord.kube.patches import json_patch, strategic_patch
from koord.kube.workqueue import RateLimits, WorkQueue


async def add_node(
    client: KubeClient,
    name: str,
    *,
    cpu: str = "32",
    memory: str = "128Gi",
    pods: int = 110,
    labels: Mapping[str, str] | None = None,
    extended: Mapping[str, str] | None = None,
) -> Node:
    """Create a ready node; `extended` adds further resources to its capacity."""
    capacity = {"cpu": cpu, "memory": memory, "pods": str(pods), "ephemeral-storage": "100Gi", **(extended or {})}
    names = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
    document: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": names | dict(labels or {})},
    }
    await client.post(Node.RESOURCE.path(), document)
    now = _now()
    ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "lastHeartbeatTime": now}
    status = {
        "capacity": capacity,
        "allocatable": capacity,
        "conditions": [ready | {"lastTransitionTime": now}],
        "addresses": [{"type": "Hostname", "address": name}],
        "nodeInfo": {"kubeletVersion": "v1.35.4", "osImage": "simulated", "architecture": "amd64"}
        | dict.fromkeys(("machineID", "systemUUID", "bootID", "kernelVersion"), "simulated")
        | dict.fromkeys(("containerRuntimeVersion", "kubeProxyVersion"), "simulated://1")
        | {"operatingSystem": "linux"},
    }
    await client.patch(Node, name, strategic_patch({"status": status}), subresource="status")
    # Admission taints every new node as not ready, and the controller that takes that off does not run here.
    return await client.patch(Node, name, json_patch([{"op": "add", "path": "/spec/taints", "value": []}]))


class _PodMetadata(View, kw_only=True):
    name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    deletion_timestamp: str = ""


class _PodSpec(View, kw_only=True):
    node_name: str = ""


class _PodStatus(View, kw_only=True):
    phase: str = ""


class _Pod(View, kw_only=True):
    """What a simulated kubelet looks at."""

    RESOURCE: ClassVar[Resource] = Pod.RESOURCE

    metadata: _PodMetadata = _PodMetadata()
    spec: _PodSpec = _PodSpec()
    status: _PodStatus = _PodStatus()


class SimulatedKubelets:
    """Runs the pods that are bound to any node: sets them Running and Ready, and lets deleted ones go."""

    def __init__(self, client: KubeClient) -> None:
        self._client = client
        self._informer = Informer(client, _Pod)
        self._queue = WorkQueue("kubelets", RateLimits(per_second=1000, burst=1000))
        self._informer.add_handler(self._changed)

    async def run(self) -> None:
        """Work until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._informer.run())
            tasks.create_task(self._queue.work(self._reconcile, workers=4))

    def _changed(self, change: Change[_Pod]) -> None:
        if change.new is not None and change.new.spec.node_name:
            self._queue.add(key_of(change.new.metadata))

    async def _reconcile(self, key: str) -> None:
        pod = self._informer.store.get(key)
        namespace, name = split_key(key)
        if pod is None:
            return
        try:
            if pod.metadata.deletion_timestamp:
                await self._client.delete(_Pod, name, namespace, grace_period_s=0, uid=pod.metadata.uid)
            elif pod.status.phase == "Pending":
                await self._start(name, namespace)
        except NotFoundError:
            pass

    async def _start(self, name: str, namespace: str) -> None:
        found = orjson.loads(await self._client.request("GET", Pod.RESOURCE.path(namespace, name)))
        now = _now()
        conditions = [
            {"type": kind, "status": "True", "lastTransitionTime": now}
            for kind in ("Initialized", "Ready", "ContainersReady", "PodScheduled")
        ]
        containers = [
            {
                "name": container["name"],
                "image": container["image"],
                "imageID": "",
                "containerID": f"simulated://{found['metadata']['uid']}-{container['name']}",
                "ready": True,
                "started": True,
                "restartCount": 0,
                "state": {"running": {"startedAt": now}},
            }
            for container in found["spec"]["containers"]
        ]
        status = {"phase": "Running", "startTime": now, "conditions": conditions, "containerStatuses": containers}
        await self._client.patch(_Pod, name, strategic_patch({"status": status}), namespace, subresource="status")


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"

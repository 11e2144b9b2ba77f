"""Trace rows as the Kubernetes objects the engine reads, and objects from YAML or JSON files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
import orjson
import yaml

from koord.sim.trace import WHOLE_GPU_MILLI, TraceError, TraceNode, TracePod

NAMESPACE = "default"
MODEL_LABEL = "node.koordinator.sh/gpu-model"
WHOLE_GPUS = "nvidia.com/gpu"
GPU_CORE = "koordinator.sh/gpu-core"
GPU_MEMORY_RATIO = "koordinator.sh/gpu-memory-ratio"
PODS_PER_NODE = 1000
"""The trace knows no limit on the number of pods."""


class Arrival(msgspec.Struct, frozen=True):
    """A pod about to be decided on: its key, its object (JSON), and what it asks for."""

    key: str
    raw: bytes
    demand_milli: int


def node_object(node: TraceNode) -> bytes:
    """The node as JSON; GPUs count whole and in percent."""
    percent = str(100 * node.gpus)
    return orjson.dumps(
        {
            "metadata": {"name": node.name, "labels": {"kubernetes.io/hostname": node.name, MODEL_LABEL: node.model}},
            "status": {
                "allocatable": {
                    "cpu": f"{node.cpu_milli}m",
                    "memory": f"{node.memory_mib}Mi",
                    "pods": str(PODS_PER_NODE),
                    WHOLE_GPUS: str(node.gpus),
                    GPU_CORE: percent,
                    GPU_MEMORY_RATIO: percent,
                }
            },
        }
    )


def pod_object(pod: TracePod, name: str) -> bytes:
    """The pod as JSON, under a name of its own."""
    requests: dict[str, str] = {"cpu": f"{pod.cpu_milli}m", "memory": f"{pod.memory_mib}Mi"}
    if pod.gpus and pod.gpu_milli == WHOLE_GPU_MILLI:
        requests[WHOLE_GPUS] = str(pod.gpus)
    elif pod.gpus:
        percent = str(pod.gpu_milli * 100 // WHOLE_GPU_MILLI)
        requests |= {GPU_CORE: percent, GPU_MEMORY_RATIO: percent}
    spec: dict[str, Any] = {"containers": [{"name": "main", "resources": {"requests": requests}}]}
    if pod.models:
        terms = [{"matchExpressions": [{"key": MODEL_LABEL, "operator": "In", "values": list(pod.models)}]}]
        required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
        spec["affinity"] = {"nodeAffinity": required}
    return orjson.dumps({"metadata": {"name": name, "namespace": NAMESPACE, "uid": name}, "spec": spec})


def read_objects(path: Path, kind: str) -> list[dict[str, Any]]:
    """Objects of one kind from a YAML or JSON file: several documents, or a List as `kubectl get -o yaml` prints.

    Raises TraceError with file and reason.
    """
    try:
        documents = list(yaml.safe_load_all(path.read_text()))
    except OSError as error:
        raise TraceError(f"{path}: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise TraceError(f"{path}: {error}") from error
    objects: list[dict[str, Any]] = []
    for document in documents:
        if not isinstance(document, dict):
            raise TraceError(f"{path}: found {type(document).__name__}, allowed: Kubernetes objects")
        found = cast(dict[str, Any], document)
        objects += found["items"] if str(found.get("kind", "")).endswith("List") else [found]
    return [each for each in objects if each.get("kind") in (kind, None)]


def arrivals_of_objects(pods: Sequence[dict[str, Any]]) -> list[Arrival]:
    """Pods of a file in file order, to be placed anew: whatever node they are on is forgotten."""
    found: list[Arrival] = []
    for pod in pods:
        metadata = {"namespace": NAMESPACE} | pod["metadata"]
        spec = {name: value for name, value in pod.get("spec", {}).items() if name != "nodeName"}
        raw = orjson.dumps({"metadata": metadata, "spec": spec})
        found.append(Arrival(f"{metadata['namespace']}/{metadata['name']}", raw, demand_of(spec)))
    return found


def demand_of(spec: dict[str, Any]) -> int:
    """Thousandths of GPUs that a pod's containers ask for."""
    total = 0
    for container in spec.get("containers", []):
        requests = container.get("resources", {}).get("requests", {})
        whole, percent = int(requests.get(WHOLE_GPUS, 0)), int(requests.get(GPU_CORE, 0))
        total += whole * WHOLE_GPU_MILLI if whole else percent * WHOLE_GPU_MILLI // 100
    return total


def encoded(item: dict[str, Any]) -> bytes:
    """An object as JSON."""
    return orjson.dumps(item)


def gpu_capacity_milli(node: dict[str, Any]) -> int:
    """Thousandths of GPUs that a node offers."""
    allocatable = node.get("status", {}).get("allocatable", {})
    whole, percent = int(allocatable.get(WHOLE_GPUS, 0)), int(allocatable.get(GPU_CORE, 0))
    return whole * WHOLE_GPU_MILLI if whole else percent * WHOLE_GPU_MILLI // 100

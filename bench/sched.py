"""Placements per second of the engine: alike pods, 200 classes, spread with affinity, GPU shares; memory at full size.

Every pod is placed; the cluster is filled from empty to 70 % of its CPU. Timed are the decisions with the snapshot's
update and the node names handed to Python; the same run with one pod per call stands beside it.
"""

import gc
import os
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson

from bench.harness.result import Result, judged, printed
from koord._core import PlacementEngine

SIZES, JUDGED_SIZE = (100, 1_000, 5_000, 20_000), 5_000
NODE_CPU, FILLED_CPU = 32, 0.7
ZONES = 3
MOST_PODS = {"spread": 4_000, "single": 4_000}
"""Slow variants stop earlier, on a cluster that is filled less."""

GPU_CONFIGURATION = orjson.dumps({"profiles": [{"plugins": {"multiPoint": {"enabled": [{"name": "GPUShare"}]}}}]})
PODS_IN_MEMORY, MEMORY_LIMIT_MB = 150_000, 300

Template = dict[str, Any]


def node(number: int) -> bytes:
    """A node with 32 cores and 8 GPUs."""
    name = f"node-{number:05}"
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{number % ZONES}"}
    allocatable = {"cpu": str(NODE_CPU), "memory": "128Gi", "pods": "110", "nvidia.com/gpu": "8"}
    allocatable |= {"koordinator.sh/gpu-core": "800", "koordinator.sh/gpu-memory-ratio": "800"}
    return orjson.dumps({"metadata": {"name": name, "labels": labels}, "status": {"allocatable": allocatable}})


def template(app: str, requests: dict[str, str], **spec: Any) -> Template:
    """Labels and spec of one class."""
    containers = [{"name": "main", "image": f"{app}:1", "resources": {"requests": requests}}]
    return {"labels": {"app": app}, "spec": {"containers": containers, **spec}}


def alike() -> list[Template]:
    """One class."""
    return [template("app", {"cpu": "1", "memory": "2Gi"})]


def classes() -> list[Template]:
    """200 classes of different sizes."""
    return [template(f"app-{at}", {"cpu": f"{500 + 10 * at}m", "memory": f"{256 + 16 * at}Mi"}) for at in range(200)]


def spread() -> list[Template]:
    """20 workloads spread over zones and hosts, preferring their own zone's company."""
    found: list[Template] = []
    for at in range(20):
        selector = {"matchLabels": {"app": f"svc-{at}"}}
        constraints = [
            {
                "maxSkew": 5,
                "topologyKey": "topology.kubernetes.io/zone",
                "whenUnsatisfiable": "DoNotSchedule",
                "labelSelector": selector,
            },
            {
                "maxSkew": 1,
                "topologyKey": "kubernetes.io/hostname",
                "whenUnsatisfiable": "ScheduleAnyway",
                "labelSelector": selector,
            },
        ]
        term = {"labelSelector": selector, "topologyKey": "kubernetes.io/hostname"}
        preferred = [{"weight": 50, "podAffinityTerm": term}]
        affinity = {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}
        requests = {"cpu": "1", "memory": "2Gi"}
        found.append(template(f"svc-{at}", requests, affinity=affinity, topologySpreadConstraints=constraints))
    return found


def gpu() -> list[Template]:
    """Halves, quarters and whole GPUs."""
    shares = [{"koordinator.sh/gpu-core": share, "koordinator.sh/gpu-memory-ratio": share} for share in ("50", "25")]
    return [
        template(f"gpu-{at}", {"cpu": "2", "memory": "4Gi", **request})
        for at, request in enumerate([*shares, {"nvidia.com/gpu": "1"}])
    ]


MIXES: dict[str, tuple[Callable[[], list[Template]], float | None]] = {
    "alike": (alike, 50_000),
    "classes": (classes, 10_000),
    "spread": (spread, 2_000),
    "gpu": (gpu, 5_000),
}
"""Name -> its classes, and pods/s to reach on two cores at 5,000 nodes."""


def measure(machine: dict[str, str | float]) -> list[Result]:
    """Every mix at every size; the targets are for 5,000 nodes."""
    machine["seed"] = 1
    results: list[Result] = []
    for name, (make, target) in MIXES.items():
        for size in SIZES:
            rate = pods_per_second(make(), size, MOST_PODS.get(name), batch=256, gpu_mix=name == "gpu")
            label = f"{name}, {size} nodes"
            if size == JUDGED_SIZE and target is not None:
                results.append(judged(label, rate, "pods/s", ">=", target))
            else:
                results.append(printed(label, rate, "pods/s"))
        limit = min(MOST_PODS["single"], MOST_PODS.get(name, MOST_PODS["single"]))
        rate = pods_per_second(make(), JUDGED_SIZE, limit, batch=1, gpu_mix=name == "gpu")
        results.append(printed(f"{name}, {JUDGED_SIZE} nodes, batch size 1", rate, "pods/s"))
    results.append(judged("memory", memory_mb(), "MB", "<=", MEMORY_LIMIT_MB))
    return results


def waiting_pods(templates: Sequence[Template], count: int) -> list[tuple[str, bytes]]:
    """Pods of the classes, interleaved at random."""
    rng = random.Random(1)
    found: list[tuple[str, bytes]] = []
    for at in range(count):
        chosen = rng.choice(templates)
        metadata = {"name": f"pod-{at}", "namespace": "default", "uid": str(at), "labels": chosen["labels"]}
        found.append((f"default/pod-{at}", orjson.dumps({"metadata": metadata, "spec": chosen["spec"]})))
    return found


def mean_cpu(templates: Sequence[Template]) -> float:
    """Cores that a pod of the mix asks for on average."""
    texts = [each["spec"]["containers"][0]["resources"]["requests"]["cpu"] for each in templates]
    return sum(int(text[:-1]) / 1000 if text.endswith("m") else int(text) for text in texts) / len(texts)


def pods_per_second(templates: list[Template], size: int, most: int | None, *, batch: int, gpu_mix: bool) -> float:
    """Fill a cluster of this size and time the placements."""
    engine = PlacementEngine(GPU_CONFIGURATION if gpu_mix else b"{}", seed=1)
    engine.upsert_many("Node", [node(at) for at in range(size)])
    count = int(size * NODE_CPU * FILLED_CPU / mean_cpu(templates))
    if gpu_mix:
        count = min(count, size * 8)
    pods = waiting_pods(templates, min(count, most or count))
    engine.upsert_many("Pod", [raw for _, raw in pods])
    keys = [key for key, _ in pods]
    start = time.perf_counter()
    for at in range(0, len(keys), batch):
        placed = engine.place(keys[at : at + batch]).nodes
        if None in placed:
            raise RuntimeError(f"{size} nodes: a pod was not placed, though the cluster has room")
    return len(keys) / (time.perf_counter() - start)


def memory_mb() -> float:
    """What 5,000 nodes and 150,000 placed pods take, in MB of resident memory."""
    gc.collect()
    before = resident_bytes()
    engine = PlacementEngine(seed=1)
    engine.upsert_many("Node", [node(at) for at in range(JUDGED_SIZE)])
    templates = [template(f"app-{at}", {"cpu": "100m", "memory": "64Mi"}) for at in range(200)]
    for at in range(0, PODS_IN_MEMORY, 10_000):
        pods = [
            orjson.dumps(
                {
                    "metadata": {"name": f"pod-{n}", "namespace": "default", "uid": str(n), **labels_of(templates, n)},
                    "spec": {**templates[n % len(templates)]["spec"], "nodeName": f"node-{n % JUDGED_SIZE:05}"},
                }
            )
            for n in range(at, at + 10_000)
        ]
        engine.upsert_many("Pod", pods)
    gc.collect()
    return (resident_bytes() - before) / 1e6


def labels_of(templates: Sequence[Template], number: int) -> dict[str, Any]:
    """The labels of the pod's class."""
    return {"labels": templates[number % len(templates)]["labels"]}


def resident_bytes() -> int:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")

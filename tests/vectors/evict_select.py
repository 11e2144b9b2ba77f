"""One round of CPU or memory eviction."""

from typing import Any

from koord.api.codec import from_json
from koord.api.core.node import Node
from koord.api.core.pod import Pod
from koord.api.quantity import Quantity
from koord.api.slo.threshold import ResourceThresholdStrategy
from koordlet.qos import cpu_evict, memory_evict
from koordlet.qos.eviction import Status, Target, Task, run
from koordlet.states.pods import PodFacts

# The order in which a round works through its gates.
ORDER = ["BECPUEvict", "CPUAllocatableEvict", "CPUEvict", "BEMemoryEvict", "MemoryAllocatableEvict", "MemoryEvict"]


def check(line: dict[str, Any]) -> str | None:
    given, expected = line["input"], line["expected"]
    threshold = from_json(ResourceThresholdStrategy, given["threshold"])
    gates = [gate for gate in ORDER if gate in given["enabledGates"] and threshold.enable]
    tasks = [task_of(gate, given, threshold) for gate in gates]
    evicted = run(tasks, given["alreadyEvicted"], lambda uid, _: uid not in given["evictFails"])
    wanted = expected.get("evictedInOrderWithTrueBytes", expected["evictedInOrder"])
    got_tasks, wanted_tasks = [shown(task) for task in tasks], [recorded(task) for task in expected["tasks"]]
    if got_tasks != wanted_tasks:
        return f"tasks: expected {wanted_tasks}, got {got_tasks}"
    if evicted != wanted:
        return f"evicted: expected {wanted}, got {evicted}"
    return None if bool(evicted) == expected["cooldownStarted"] else "cooldownStarted"


def task_of(gate: str, given: dict[str, Any], threshold: ResourceThresholdStrategy) -> Task:
    node = from_json(Node, given["node"]).status
    pods = [PodFacts(from_json(Pod, pod)) for pod in given["pods"]]
    cpu_used, memory_used = given.get("podUsedCores", {}), given.get("podUsedBytes", {})
    match gate:
        case "BECPUEvict":
            cpu = best_effort_cpu(given.get("bestEffort") or {})
            interval_s = given["collectIntervalSeconds"]
            return cpu_evict.best_effort_task(pods, cpu, node.allocatable, threshold, interval_s, cpu_used)
        case "CPUEvict":
            capacity = node.capacity["cpu"].milli_value()
            return cpu_evict.usage_task(pods, given.get("nodeMeanUsedCores"), capacity, threshold, cpu_used)
        case "CPUAllocatableEvict":
            return cpu_evict.request_task(pods, node.allocatable, threshold, cpu_used)
        case "MemoryAllocatableEvict":
            return memory_evict.request_task(pods, node.allocatable, threshold, memory_used)
        case _:
            capacity, used = node.capacity["memory"].value(), given.get("nodeUsedBytes")
            return memory_evict.usage_task(gate, pods, used, capacity, threshold, memory_used)


def best_effort_cpu(given: dict[str, Any]) -> cpu_evict.BestEffortCpu | None:
    if not given:
        return None
    series = {
        name: cpu_evict.Series(each.get("meanMilli", 0), each.get("lastMilli", 0), each.get("count", 0))
        for name, each in given.items()
    }
    return cpu_evict.BestEffortCpu(series["usage"], series["request"], series["realLimit"])


def shown(task: Task) -> dict[str, Any]:
    if task.status is not Status.TRIGGERED:
        return {"gate": task.gate, "status": task.status}
    victims = [victim.uid for victim in task.victims]
    return {
        "gate": task.gate,
        "status": task.status,
        "target": task.target,
        "toRelease": dict(task.to_release),
        "candidates": victims,
    }


def recorded(task: dict[str, Any]) -> dict[str, Any]:
    """A recorded task in our units; requests of native CPU are milli-cores that were written as whole cores."""
    if "toRelease" in task:
        used_milli = task["target"] == Target.USED
        amounts = {name: Quantity.parse(text) for name, text in task["toRelease"].items()}
        release = {
            name: each.milli_value() if name == "cpu" and used_milli else each.value() for name, each in amounts.items()
        }
        task = task | {"toRelease": release}
    return task

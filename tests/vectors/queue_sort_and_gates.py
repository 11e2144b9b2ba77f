"""The scheduling queue: gates, order, and sequences of operations with queueing hints."""

from typing import Any

import orjson

from koord._core import PlacementEngine, SchedulingQueue
from tests.vectors.cluster_input import difference, with_uid

NANOSECONDS_PER_MS = 1_000_000


def check(line: dict[str, Any]) -> str | None:
    """None when the queue does what was recorded."""
    given, expected = line["input"], line["expected"]
    return {"gates": gates, "sort": sort, "sequence": sequence}[given["op"]](given, expected)


def gates(given: dict[str, Any], expected: dict[str, Any]) -> str | None:
    """Why the pod stays out of the queue."""
    status = PlacementEngine().pre_enqueue(orjson.dumps(given["pod"]))
    got: dict[str, Any] = {"code": "Success"} if status is None else orjson.loads(status)
    got.pop("plugin", None)
    return difference(expected["preEnqueue"], got)


def sort(given: dict[str, Any], expected: dict[str, Any]) -> str | None:
    """Pods come out by priority, then by the time they were added; equal ones in any order."""
    queue = SchedulingQueue(PlacementEngine())
    for pod in given["pods"]:
        name, priority = pod["name"], pod.get("priority", 0)
        queue.add(orjson.dumps({"metadata": {"name": name}, "spec": {"priority": priority}}), nanoseconds(pod))
    got: list[list[str]] = []
    for group in expected["order"]:
        popped = [queue.pop() for _ in group]
        got.append(sorted(pod[0] for pod in popped if pod is not None))
    wanted = [sorted(group) for group in expected["order"]]
    return None if got == wanted else f"order: expected {wanted}, got {got}"


def nanoseconds(pod: dict[str, Any]) -> int:
    """The pod's timestamp in nanoseconds of its day; the vectors stay within one."""
    clock = pod["timestamp"].partition("T")[2].rstrip("Z")
    whole, _, fraction = clock.partition(".")
    hours, minutes, seconds = (int(part) for part in whole.split(":"))
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000_000 + int((fraction + "0" * 9)[:9])


def sequence(given: dict[str, Any], expected: dict[str, Any]) -> str | None:
    """The queue's state after every step."""
    queue = SchedulingQueue(
        PlacementEngine(),
        initial_backoff_ns=given["initialBackoffSeconds"] * 1_000_000_000,
        max_backoff_ns=given["maxBackoffSeconds"] * 1_000_000_000,
    )
    for at, (step, wanted) in enumerate(zip(given["steps"], expected["states"], strict=True)):
        extra = apply(queue, step, step["atMs"] * NANOSECONDS_PER_MS)
        wrong = difference(wanted, state(queue) | extra)
        if wrong is not None:
            return f"step {at} ({step['op']}): {wrong}"
    return None


def apply(queue: SchedulingQueue, step: dict[str, Any], now: int) -> dict[str, Any]:
    """Do one step; returns what the recorded state has beyond the queue's own."""
    pod = orjson.dumps(with_uid(step["pod"])) if "pod" in step else b""
    node = orjson.dumps(step.get("node"))
    name = f"default/{step.get('name')}"
    extra: dict[str, Any] = {}
    match step["op"]:
        case "add":
            queue.add(pod, now)
        case "pop":
            popped = queue.pop()
            if popped is not None:
                extra = {"popped": popped[0].removeprefix("default/"), "attempts": popped[1]}
        case "fail":
            queue.fail(name, step.get("unschedulablePlugins", []), now)
        case "scheduled" | "delete":
            queue.remove(name)
        case "update":
            queue.update(pod, now)
        case "activate":
            queue.activate(name)
        case "nodeAdd":
            queue.node_added(node, now)
        case "nodeUpdate":
            events = queue.node_updated(orjson.dumps(step["oldNode"]), node, now)
            extra = {"events": events}
        case "assignedPodAdd":
            queue.assigned_pod_added(pod, now)
        case "assignedPodDelete":
            queue.assigned_pod_deleted(pod, now)
        case "flushBackoff":
            queue.flush_backoff(now)
        case "flushUnschedulable":
            queue.flush_unschedulable(now)
        case other:
            raise ValueError(f"step {other}")
    return extra


def state(queue: SchedulingQueue) -> dict[str, Any]:
    """The queue's state as the vectors write it: bare names, back-off in milliseconds."""
    got = orjson.loads(queue.state())
    bare = {
        "active": sorted(name.removeprefix("default/") for name in got["active"]),
        "backoff": {name.removeprefix("default/"): end // NANOSECONDS_PER_MS for name, end in got["backoff"].items()},
        "unschedulable": sorted(name.removeprefix("default/") for name in got["unschedulable"]),
    }
    gated = {name.removeprefix("default/"): gate for name, gate in got["gated"].items()}
    return bare | ({"gated": gated} if gated else {})

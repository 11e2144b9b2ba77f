"""One round of CPU suppression."""

from typing import Any

from koord.api.codec import from_json
from koord.api.core.node import Node
from koord.api.core.pod import Pod
from koord.api.cpulist import format_cpus, parse_cpus
from koord.api.slo.hostapplication import HostApplicationSpec
from koord.api.slo.threshold import ResourceThresholdStrategy
from koordlet.qos.cpu_suppress import Decision, Round, Suppression, Use, budget_milli, decide, lift
from koordlet.states.nodecpus import Cpu, best_effort_host, bound_pods, node_cpus
from koordlet.states.pods import PodFacts


def check(line: dict[str, Any]) -> str | None:
    given, expected = line["input"], line["expected"]
    if expected.get("divisionByZeroInReference"):
        got(given, *inputs(given))
        return None
    state, threshold = inputs(given)
    answer = got(given, state, threshold)
    if given["nodeUsedCores"] is None:
        expected, answer = ({**each, "budgetMilli": None} for each in (expected, answer))
    return None if answer == expected else f"expected {expected}, got {answer}"


def inputs(given: dict[str, Any]) -> tuple[Round, ResourceThresholdStrategy]:
    cpus = [Cpu(each["cpu"], each["core"], each["socket"], each["node"]) for each in given["cpus"]]
    pods = [PodFacts(from_json(Pod, pod)) for pod in given["pods"]]
    best_effort = {facts.uid for facts in pods if facts.best_effort}
    applications = [from_json(HostApplicationSpec, each) for each in given["hostApplications"]]
    host = {each.name: best_effort_host(each) for each in applications}
    state = Round(
        node=node_cpus(from_json(Node, given["node"]), given["topologyAnnotations"], cpus),
        node_used_cores=given["nodeUsedCores"] or 0.0,
        pods=[Use(cores, uid in best_effort) for uid, cores in given["podUsedCores"].items()],
        host_applications=[Use(cores, host.get(name, False)) for name, cores in given["hostAppUsedCores"].items()],
        bound=bound_pods(pods),
        current_cpus=parse_cpus(given["currentBECpuset"]),
        current_quota_us=given["currentBEQuotaUs"],
    )
    return state, from_json(ResourceThresholdStrategy, given["threshold"])


def got(given: dict[str, Any], state: Round, threshold: ResourceThresholdStrategy) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "budgetMilli": budget_milli(state, threshold),
        "beCpuset": format_cpus(state.current_cpus),
        "podCpuset": format_cpus(state.current_cpus),
        "containerCpuset": format_cpus(state.current_cpus),
        "beQuotaUs": given["currentBEQuotaUs"],
        "policyStatus": {},
    }
    decision = decision_of(given, state, threshold)
    if decision is None:
        return answer
    levels = {"beCpuset": decision.cpuset.best_effort, "podCpuset": decision.cpuset.pods}
    levels["containerCpuset"] = decision.cpuset.containers
    answer |= {name: format_cpus(cpus) for name, cpus in levels.items() if cpus is not None}
    if decision.quota_us is not None:
        answer["beQuotaUs"] = decision.quota_us
    answer["policyStatus"] = {
        policy.value: "using" if policy is decision.using else "recovered" for policy in Suppression
    }
    return answer


def decision_of(given: dict[str, Any], state: Round, threshold: ResourceThresholdStrategy) -> Decision | None:
    if given["beCPUManagerGate"]:
        return lift(state, "the best-effort CPU manager assigns CPUs")
    if not threshold.enable:
        return lift(state, "disabled")
    if given["nodeUsedCores"] is None or not given["pods"]:
        return None
    return decide(state, threshold)

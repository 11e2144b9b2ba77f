"""The filters and scores in plain Python, one pod and one node at a time, written from their definitions."""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

Object = dict[str, Any]
MIB = 1 << 20
UNITS = {"Gi": 1 << 30, "Mi": MIB, "G": 10**9, "": 1}


def amount(name: str, text: str) -> int:
    """Milli-cores for cpu, else whole units."""
    if name == "cpu":
        return int(text[:-1]) if text.endswith("m") else int(text) * 1000
    suffix = text.lstrip("0123456789")
    return int(text.removesuffix(suffix)) * UNITS[suffix]


def requests(pod: Object, *, defaults: bool) -> Counter[str]:
    """What the pod's containers ask for together."""
    total: Counter[str] = Counter()
    for container in pod["spec"]["containers"]:
        stated = {"cpu": "100m", "memory": "200Mi"} if defaults else {}
        for name, text in (stated | container["resources"]["requests"]).items():
            total[name] += amount(name, text)
    return total


def selects(selector: Object, labels: Object) -> bool:
    """Whether a label selector holds."""
    equal = all(labels.get(key) == value for key, value in selector.get("matchLabels", {}).items())
    return equal and all(expression_holds(each, labels) for each in selector.get("matchExpressions", []))


def expression_holds(expression: Object, labels: Object) -> bool:
    """In and NotIn; NotIn holds for a missing key."""
    inside = labels.get(expression["key"]) in expression["values"]
    return inside if expression["operator"] == "In" else not inside


def tolerated(taint: Object, pod: Object) -> bool:
    """Whether one of the pod's tolerations fits the taint."""
    return any(
        toleration.get("effect", taint["effect"]) == taint["effect"]
        and toleration["key"] == taint["key"]
        and (toleration.get("operator") == "Exists" or toleration.get("value", "") == taint["value"])
        for toleration in pod["spec"]["tolerations"]
    )


def required_terms(pod: Object, kind: str) -> list[Object]:
    """Required terms of podAffinity or podAntiAffinity."""
    return pod["spec"]["affinity"][kind]["requiredDuringSchedulingIgnoredDuringExecution"]


def preferred_terms(pod: Object, kind: str) -> list[Object]:
    """Preferred terms with their weights."""
    return pod["spec"]["affinity"][kind]["preferredDuringSchedulingIgnoredDuringExecution"]


def term_selects(term: Object, owner: Object, other: Object) -> bool:
    """Whether a term of `owner` speaks of `other`; without namespaces it means the owner's own."""
    same = owner["metadata"]["namespace"] == other["metadata"]["namespace"]
    return same and selects(term["labelSelector"], other["metadata"]["labels"])


class Cluster:
    """Everything is counted anew at every question."""

    def __init__(self, nodes: list[Object], pods: list[Object]) -> None:
        self.nodes = nodes
        self.pods = pods

    def on(self, node: Object) -> list[Object]:
        """Pods on the node."""
        return [pod for pod in self.pods if pod["spec"]["nodeName"] == node["metadata"]["name"]]

    def placed(self) -> Iterator[tuple[Object, Object]]:
        """Every pod with its node."""
        for node in self.nodes:
            for pod in self.on(node):
                yield pod, node

    def refusals(self, pod: Object) -> dict[str, set[str]]:
        """Plugin -> nodes it refuses."""
        filters = {
            "NodeUnschedulable": self.unschedulable,
            "TaintToleration": self.tainted,
            "NodeAffinity": self.unwanted_node,
            "NodePorts": self.port_taken,
            "NodeResourcesFit": self.full,
            "PodTopologySpread": self.skewed,
            "InterPodAffinity": self.wrong_company,
        }
        found = {
            plugin: {node["metadata"]["name"] for node in self.nodes if refuses(pod, node)}
            for plugin, refuses in filters.items()
        }
        return {plugin: names for plugin, names in found.items() if names}

    def unschedulable(self, pod: Object, node: Object) -> bool:
        """Cordoned."""
        cordon = {"key": "node.kubernetes.io/unschedulable", "value": "", "effect": "NoSchedule"}
        return node["spec"]["unschedulable"] and not tolerated(cordon, pod)

    def tainted(self, pod: Object, node: Object) -> bool:
        """A strict taint that is not tolerated."""
        return any(t["effect"] != "PreferNoSchedule" and not tolerated(t, pod) for t in node["spec"]["taints"])

    def unwanted_node(self, pod: Object, node: Object) -> bool:
        """None of the node affinity's terms holds."""
        affinity = pod["spec"]["affinity"].get("nodeAffinity")
        if affinity is None:
            return False
        terms = affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        labels = node["metadata"]["labels"]
        return not any(all(expression_holds(each, labels) for each in term["matchExpressions"]) for term in terms)

    def port_taken(self, pod: Object, node: Object) -> bool:
        """The same host port on the same address, or on all."""
        held = [port for other in self.on(node) for port in other["spec"]["containers"][0].get("ports", [])]
        for wanted in pod["spec"]["containers"][0].get("ports", []):
            for port in held:
                ips = {wanted["hostIP"] or "0.0.0.0", port["hostIP"] or "0.0.0.0"}
                if wanted["hostPort"] == port["hostPort"] and (len(ips) == 1 or "0.0.0.0" in ips):
                    return True
        return False

    def used(self, node: Object, *, defaults: bool) -> Counter[str]:
        """What the node's pods ask for together."""
        total: Counter[str] = Counter()
        for pod in self.on(node):
            total += requests(pod, defaults=defaults)
        return total

    def full(self, pod: Object, node: Object) -> bool:
        """Too many pods, or too little left of something the pod asks for."""
        offered = node["status"]["allocatable"]
        used = self.used(node, defaults=False)
        wanted = requests(pod, defaults=False)
        lacks = any(used[name] + wanted[name] > amount(name, offered[name]) for name in wanted)
        return lacks or len(self.on(node)) + 1 > int(offered["pods"])

    def counted_nodes(self, pod: Object, constraints: list[Object]) -> list[Object]:
        """Nodes that topology spread counts: they have every key and the pod's node affinity holds."""
        keys = [constraint["topologyKey"] for constraint in constraints]
        having = [node for node in self.nodes if all(key in node["metadata"]["labels"] for key in keys)]
        return [node for node in having if not self.unwanted_node(pod, node)]

    def matching(self, pod: Object, constraint: Object, nodes: list[Object]) -> Counter[str]:
        """Pods of the constraint's selector per domain; every domain of the nodes is there."""
        counts: Counter[str] = Counter()
        for node in nodes:
            domain = node["metadata"]["labels"][constraint["topologyKey"]]
            counts[domain] += sum(
                other["metadata"]["namespace"] == pod["metadata"]["namespace"]
                and selects(constraint["labelSelector"], other["metadata"]["labels"])
                for other in self.on(node)
            )
        return counts

    def skewed(self, pod: Object, node: Object) -> bool:
        """Some domain would be too far ahead of the emptiest."""
        hard = [c for c in pod["spec"]["topologySpreadConstraints"] if c["whenUnsatisfiable"] == "DoNotSchedule"]
        for constraint in hard:
            domain = node["metadata"]["labels"].get(constraint["topologyKey"])
            if domain is None:
                return True
            counts = self.matching(pod, constraint, self.counted_nodes(pod, hard))
            own = selects(constraint["labelSelector"], pod["metadata"]["labels"])
            least = min(counts.values(), default=0)
            if counts[domain] + own - least > constraint["maxSkew"]:
                return True
        return False

    def wrong_company(self, pod: Object, node: Object) -> bool:
        """A required term of the pod or of a placed one does not hold."""
        labels = node["metadata"]["labels"]
        near = required_terms(pod, "podAffinity")
        fitting = [(o, n) for o, n in self.placed() if all(term_selects(term, pod, o) for term in near)]
        company = [
            any(same_domain(term["topologyKey"], labels, n["metadata"]["labels"]) for _, n in fitting) for term in near
        ]
        with_keys = [n for _, n in fitting if any(t["topologyKey"] in n["metadata"]["labels"] for t in near)]
        first = not with_keys and all(term_selects(term, pod, pod) for term in near)
        if any(term["topologyKey"] not in labels for term in near) or not (all(company) or first):
            return True
        for other, place in self.placed():
            for owner, subject in ((pod, other), (other, pod)):
                for term in required_terms(owner, "podAntiAffinity"):
                    together = same_domain(term["topologyKey"], labels, place["metadata"]["labels"])
                    if together and term_selects(term, owner, subject):
                        return True
        return False

    def scores(self, pod: Object, feasible: list[Object]) -> dict[str, dict[str, list[int]]]:
        """Plugin -> node -> raw and normalised score, of the plugins that score such a pod."""
        found = {
            "TaintToleration": [self.soft_taints(pod, node) for node in feasible],
            "NodeResourcesFit": [self.least_allocated(pod, node) for node in feasible],
            "NodeResourcesBalancedAllocation": [self.balance(pod, node) for node in feasible],
            "ImageLocality": [self.images(pod, node) for node in feasible],
            "InterPodAffinity": [self.company(pod, node) for node in feasible],
        }
        if not requests(pod, defaults=False):
            del found["NodeResourcesBalancedAllocation"]
        if not self.has_company(pod):
            del found["InterPodAffinity"]
        spread = self.spread_scores(pod, feasible)
        if spread is not None:
            found["PodTopologySpread"] = spread
        return {
            plugin: {
                node["metadata"]["name"]: [max(raw, 0) if plugin == "PodTopologySpread" else raw, normalised]
                for node, raw, normalised in zip(feasible, values, normalise(plugin, values), strict=True)
            }
            for plugin, values in found.items()
        }

    def soft_taints(self, pod: Object, node: Object) -> int:
        """PreferNoSchedule taints that are not tolerated."""
        return sum(t["effect"] == "PreferNoSchedule" and not tolerated(t, pod) for t in node["spec"]["taints"])

    def least_allocated(self, pod: Object, node: Object) -> int:
        """Mean of the free shares of cpu and memory, in percent."""
        used = self.used(node, defaults=True) + requests(pod, defaults=True)
        shares: list[int] = []
        for name in ("cpu", "memory"):
            offered = amount(name, node["status"]["allocatable"][name])
            shares.append(max(offered - used[name], 0) * 100 // offered)
        return sum(shares) // 2

    def balance(self, pod: Object, node: Object) -> int:
        """100 less the deviation between the used shares of cpu and memory."""
        used = self.used(node, defaults=False) + requests(pod, defaults=False)
        cpu, memory = (
            min(used[name] / amount(name, node["status"]["allocatable"][name]), 1.0) for name in ("cpu", "memory")
        )
        return int((1 - abs((cpu - memory) / 2)) * 100)

    def images(self, pod: Object, node: Object) -> int:
        """The pod's images on the node, each the heavier the more nodes have it."""
        total = 0
        for container in pod["spec"]["containers"]:
            image = container["image"] if ":" in container["image"] else f"{container['image']}:latest"
            holders = [n for n in self.nodes if any(image in each["names"] for each in n["status"]["images"])]
            if node in holders:
                total += int(400_000_000 * (len(holders) / len(self.nodes)))
        least, most = 23 * MIB, 1000 * MIB * len(pod["spec"]["containers"])
        return 100 * (min(max(total, least), most) - least) // (most - least)

    def pairs(self, pod: Object) -> Iterator[tuple[str, Object, int]]:
        """Topology key, node and weight of every term that matches between the pod and a placed one."""
        for other, node in self.placed():
            for kind, sign in (("podAffinity", 1), ("podAntiAffinity", -1)):
                for owner, subject in ((pod, other), (other, pod)):
                    for weighted in preferred_terms(owner, kind):
                        if term_selects(weighted["podAffinityTerm"], owner, subject):
                            yield weighted["podAffinityTerm"]["topologyKey"], node, sign * weighted["weight"]
            for term in required_terms(other, "podAffinity"):
                if term_selects(term, other, pod):
                    yield term["topologyKey"], node, 1

    def has_company(self, pod: Object) -> bool:
        """Whether any term says anything, on a node that has its key."""
        return any(key in node["metadata"]["labels"] for key, node, _ in self.pairs(pod))

    def company(self, pod: Object, node: Object) -> int:
        """Sum of the weights of matching terms in the node's domains."""
        labels = node["metadata"]["labels"]
        found = self.pairs(pod)
        return sum(weight for key, place, weight in found if same_domain(key, labels, place["metadata"]["labels"]))

    def spread_scores(self, pod: Object, feasible: list[Object]) -> list[int] | None:
        """Matching pods in the node's domains, weighed; -1 for a node without one of the keys."""
        soft = [c for c in pod["spec"]["topologySpreadConstraints"] if c["whenUnsatisfiable"] == "ScheduleAnyway"]
        if not soft:
            return None
        having = [n for n in feasible if all(c["topologyKey"] in n["metadata"]["labels"] for c in soft)]
        scores: list[int] = []
        for node in feasible:
            if node not in having:
                scores.append(-1)
                continue
            score = 0.0
            for constraint in soft:
                key = constraint["topologyKey"]
                domains = {n["metadata"]["labels"][key] for n in having}
                size = len(having) if key == "kubernetes.io/hostname" else len(domains)
                counted = [node] if key == "kubernetes.io/hostname" else self.counted_nodes(pod, soft)
                count = self.matching(pod, constraint, counted)[node["metadata"]["labels"][key]]
                score += count * math.log(size + 2) + constraint["maxSkew"] - 1
            scores.append(math.floor(score + 0.5))
        return scores


def same_domain(key: str, ours: Object, theirs: Object) -> bool:
    """Both have the key, with one value."""
    return key in ours and ours.get(key) == theirs.get(key)


def normalise(plugin: str, values: list[int]) -> list[int]:
    """Raw scores of all feasible nodes as 0-100."""
    counted = [value for value in values if value >= 0] if plugin == "PodTopologySpread" else values
    least, most = min(counted, default=0), max(counted, default=0)
    match plugin:
        case "TaintToleration":
            return [100 if most == 0 else 100 - 100 * value // most for value in values]
        case "InterPodAffinity":
            return [0 if most == least else int(100.0 * ((value - least) / (most - least))) for value in values]
        case "PodTopologySpread":
            return [0 if value < 0 else 100 if most == 0 else 100 * (most + least - value) // most for value in values]
        case _:
            return values

"""One round of memory QoS."""

from typing import Any

from koord.api.codec import from_json
from koord.api.core.node import Node
from koord.api.core.pod import Pod
from koord.api.overlay import to_json
from koord.api.payloads.qos import MEMORY_QOS
from koord.api.slo.resourceqos import ResourceQOSStrategy
from koordlet.qos.memory_qos import decide, effective_classes, pod_settings
from koordlet.states.pods import PodFacts


def check(line: dict[str, Any]) -> str | None:
    given, expected = line["input"], line["expected"]
    classes = effective_classes(from_json(ResourceQOSStrategy, given["resourceQOSStrategy"]))
    node = from_json(Node, given["node"])
    pods = [PodFacts(from_json(Pod, pod)) for pod in given["pods"]]
    own = [MEMORY_QOS.read_or(facts.pod.metadata.annotations, facts.subject, None)[0] for facts in pods]
    plan = decide(
        [(facts, pod_settings(facts, classes, each)) for facts, each in zip(pods, own, strict=True)],
        classes,
        node_allocatable_bytes=node.status.allocatable["memory"].value(),
        page_size=given["pageSize"],
        page_cache_limit=given["cgroupVersion"] == 2,
    )
    got = {
        "effectiveMemoryQOS": {f"{qos.lower()}Class": to_json(each) for qos, each in classes.items()},
        "values": {f"qos/{directory}": values for directory, values in plan.classes.items()}
        | {f"pod/{uid}": values for uid, values in plan.pods.items()}
        | {f"container/{key}": values for key, values in plan.containers.items()},
    }
    for part, wanted in expected.items():
        for name in wanted.keys() | got[part].keys():
            if wanted.get(name) != got[part].get(name):
                return f"{part} {name}: expected {wanted.get(name)}, got {got[part].get(name)}"
    return None

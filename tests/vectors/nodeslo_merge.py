"""nodeslo_merge.jsonl: the NodeSLO spec of a node from the ConfigMap, now and before."""

from typing import Any

from koord.api.gojson import encode
from koord.api.sloconfig.nodeslo import DEFAULT, node_slo_spec, read_config


def check(line: dict[str, Any]) -> str | None:
    """None when the line passes, else what differs."""
    given, expected = line["input"], line["expected"]
    before = DEFAULT
    if "previousConfigMapData" in given:
        before, _ = read_config(given["previousConfigMapData"])
    config, errors = read_config(given["configMapData"], before)
    spec, _ = node_slo_spec(config, "node", given["nodeLabels"], given["nodeAnnotations"])
    got = {"spec": encode(spec), "cacheChanged": config != before, "unmarshalFailedEvents": len(errors)}
    return None if got == expected else f"expected {expected}, got {got}"

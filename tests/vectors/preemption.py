"""DefaultPreemption: eligibility, victims per node, the node that is taken, the event text."""

from typing import Any

import orjson

from tests.vectors.cluster_input import difference, engine_of, with_uid


def check(line: dict[str, Any]) -> str | None:
    """None when the engine decides as recorded; of several equally good nodes any one is right."""
    cluster, expected = line["input"], line["expected"]
    engine = engine_of(cluster)
    pod = orjson.dumps(with_uid(cluster["pod"]))
    engine.upsert("Pod", pod)
    got: dict[str, Any] = orjson.loads(engine.preempt(pod))
    if got["feasible"]:
        got = {name: got[name] for name in ("feasible", "nodeStatus")} | {"preemption": "not attempted"}
        return difference(expected, got)
    if len(got["selected"]) != 1:
        got["evicted"] = got["clearedNominations"] = []
    if "node" in got and got.pop("node") not in expected.get("selected", []):
        return f"node: expected one of {expected.get('selected')}, got another"
    empty = [name for name in got if got[name] in ([], {}, False) and name not in expected]
    return difference(expected, {name: value for name, value in got.items() if name not in empty})

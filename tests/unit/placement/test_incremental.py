"""The snapshot after any sequence of events equals one built from what is left; batches equal single decisions."""

import os
from typing import Any

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from koord._core import PlacementEngine
from tests.unit.placement.clusters import clusters, nodes, pods

EXAMPLES = 2000 if os.environ.get("KOORD_SOAK") else 150
SEARCH = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NAMES = ("n0", "n1", "n2", "n3", "n4")

events = st.lists(
    st.one_of(
        st.sampled_from(NAMES).flatmap(nodes).map(lambda node: ("Node", node)),
        st.integers(0, 9).flatmap(lambda at: pods(f"e{at}", NAMES)).map(lambda pod: ("Pod", pod)),
        st.sampled_from(NAMES).map(lambda name: ("delete Node", name)),
        st.integers(0, 9).map(lambda at: ("delete Pod", f"e{at}")),
    ),
    max_size=25,
)


def key(pod: dict[str, Any]) -> str:
    return f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"


def feed(engine: PlacementEngine, kind: str, item: dict[str, Any]) -> None:
    engine.upsert(kind, orjson.dumps(item))


@SEARCH
@given(events, pods("incoming"))
def test_incremental_equals_rebuilt(sequence: list[tuple[str, Any]], incoming: dict[str, Any]):
    engine = PlacementEngine()
    left_nodes: dict[str, dict[str, Any]] = {}
    left_pods: dict[str, dict[str, Any]] = {}
    for event, item in sequence:
        match event:
            case "Node":
                left_nodes[item["metadata"]["name"]] = item
                feed(engine, "Node", item)
            case "Pod":
                left_pods[key(item)] = item
                feed(engine, "Pod", item)
            case "delete Node":
                assert engine.delete("Node", item) == (left_nodes.pop(item, None) is not None)
            case _:
                for namespace in ("default", "team-a"):
                    name = f"{namespace}/{item}"
                    assert engine.delete("Pod", name) == (left_pods.pop(name, None) is not None)
    rebuilt = PlacementEngine()
    for node in left_nodes.values():
        feed(rebuilt, "Node", node)
    for pod in left_pods.values():
        feed(rebuilt, "Pod", pod)
    assert orjson.loads(engine.dump()) == orjson.loads(rebuilt.dump())
    asked = orjson.dumps(incoming)
    assert orjson.loads(engine.explain(asked)) == orjson.loads(rebuilt.explain(asked))


@SEARCH
@given(clusters(), st.lists(st.integers(0, 3), min_size=1, max_size=12), st.data())
def test_a_batch_decides_as_one_pod_at_a_time(
    cluster: tuple[list[dict[str, Any]], list[dict[str, Any]]], classes: list[int], data: st.DataObject
):
    templates = [data.draw(pods(f"template{at}")) for at in range(4)]
    waiting: list[dict[str, Any]] = []
    for at, template in enumerate(classes):
        pod = templates[template]
        waiting.append(pod | {"metadata": pod["metadata"] | {"name": f"w{at}", "uid": f"w{at}"}})
    together, single = PlacementEngine(seed=7), PlacementEngine(seed=7)
    for engine in (together, single):
        for node in cluster[0]:
            feed(engine, "Node", node)
        for pod in (*cluster[1], *waiting):
            feed(engine, "Pod", pod)
    keys = [key(pod) for pod in waiting]
    chosen = together.place(keys)
    for at, pod in enumerate(waiting):
        explained = orjson.loads(single.explain(orjson.dumps(pod)))
        placed = single.place([keys[at]])
        assert placed.nodes[0] == chosen.nodes[at]
        assert placed.messages[0] == chosen.messages[at] == explained.get("message")
        if placed.nodes[0] is not None:
            assert placed.nodes[0] in explained["best"]
    assert orjson.loads(together.dump()) == orjson.loads(single.dump())


@SEARCH
@given(clusters(), pods("incoming"), pods("next"))
def test_asking_about_preemption_changes_nothing(
    cluster: tuple[list[dict[str, Any]], list[dict[str, Any]]], incoming: dict[str, Any], following: dict[str, Any]
):
    engine = PlacementEngine()
    for node in cluster[0]:
        feed(engine, "Node", node)
    for pod in cluster[1]:
        feed(engine, "Pod", pod)
    incoming["spec"]["priority"] = 1000
    before = engine.dump(), engine.explain(orjson.dumps(following))
    first = engine.preempt(orjson.dumps(incoming))
    assert engine.preempt(orjson.dumps(incoming)) == first
    assert (engine.dump(), engine.explain(orjson.dumps(following))) == before


def test_a_forgotten_pod_leaves_no_trace():
    engine = PlacementEngine()
    feed(engine, "Node", {"metadata": {"name": "n0"}, "status": {"allocatable": {"cpu": "2", "pods": "9"}}})
    feed(engine, "Pod", {"metadata": {"name": "p", "namespace": "default"}, "spec": {"containers": [{"name": "c"}]}})
    before = engine.dump()
    assert engine.place(["default/p"]).nodes == ["n0"]
    assert engine.forget("default/p")
    assert engine.dump() == before
    assert not engine.forget("default/p")

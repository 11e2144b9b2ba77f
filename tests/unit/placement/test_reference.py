"""The engine against the plain-Python reference, on random clusters."""

import os
from typing import Any

import orjson
from hypothesis import HealthCheck, given, settings

from koord._core import PlacementEngine
from tests.unit.placement.clusters import clusters, pods
from tests.unit.placement.slow_reference import Cluster

EXAMPLES = 3000 if os.environ.get("KOORD_SOAK") else 300
SEARCH = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def engine_of(nodes: list[dict[str, Any]], placed: list[dict[str, Any]]) -> PlacementEngine:
    engine = PlacementEngine()
    engine.upsert_many("Node", [orjson.dumps(node) for node in nodes])
    engine.upsert_many("Pod", [orjson.dumps(pod) for pod in placed])
    return engine


@SEARCH
@given(clusters(), pods("incoming"))
def test_filters_and_scores_equal_the_reference(
    cluster: tuple[list[dict[str, Any]], list[dict[str, Any]]], pod: dict[str, Any]
):
    nodes, placed = cluster
    explained = orjson.loads(engine_of(nodes, placed).explain(orjson.dumps(pod)))
    reference = Cluster(nodes, placed)
    refusals = reference.refusals(pod)
    assert {plugin: set(of_node) for plugin, of_node in explained.get("filter", {}).items()} == refusals

    refused = set().union(*refusals.values())
    feasible = [node for node in nodes if node["metadata"]["name"] not in refused]
    assert explained["feasible"] == sorted(node["metadata"]["name"] for node in feasible)
    if feasible:
        assert explained["scores"] == reference.scores(pod, feasible)

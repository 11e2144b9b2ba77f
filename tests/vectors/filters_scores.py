"""All filters and scores of the default plugins on one pod and one cluster."""

from typing import Any

import orjson

from tests.vectors.cluster_input import difference, engine_of, with_uid

# Fields of the explanation that the vectors know; the engine tells more.
FIELDS = (
    "preFilterSkip",
    "preFilter",
    "filter",
    "rejectedInPreFilter",
    "rejectedBy",
    "excluded",
    "feasible",
    "message",
    "skippedScore",
    "scores",
    "total",
    "best",
)


def check(line: dict[str, Any]) -> str | None:
    """None when the engine explains the pod as recorded."""
    cluster, expected = line["input"], line["expected"]
    got = orjson.loads(engine_of(cluster).explain(orjson.dumps(with_uid(cluster["pod"]))))
    if got.get("error") or expected.get("error"):
        fields = {"preFilterSkip", "preFilter", "filter"}
        return difference(
            {name: expected[name] for name in expected.keys() & (fields | {"error"})},
            {name: got[name] for name in got.keys() & (fields | {"error"})},
        )
    return difference(expected, {name: got[name] for name in FIELDS if name in got})

"""need_sync.jsonl: whether a calculated node must be written."""

from typing import Any

from koord.api.codec import from_json
from koord.api.core.node import Node
from manager.noderesource.sync import sync_need


def check(line: dict[str, Any]) -> str | None:
    """None when the line passes, else what differs."""
    given, expected = line["input"], line["expected"]
    need = sync_need(
        from_json(Node, given["oldNode"]),
        from_json(Node, given["newNode"]),
        given["resourceDiffThreshold"],
        given["updateTimeThresholdSeconds"],
        given["secondsSinceLastSync"],
    )
    got = {
        "statusUpdateNeeded": need.status_needed,
        "metaUpdateNeeded": need.metadata_needed,
        "statusCheckByPlugin": need.status,
        "metaCheckByPlugin": need.metadata,
    }
    return None if got == expected else f"expected {expected}, got {got}"

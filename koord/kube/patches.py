"""The four ways to change part of an object. All are safe for types that hold only a part of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True)
class Patch:
    """A body, the media type that says how the server reads it, and query parameters."""

    body: bytes
    media_type: str
    query: Mapping[str, str]


def json_patch(operations: Sequence[Mapping[str, Any]]) -> Patch:
    """RFC 6902: operations on paths, all or none; a `test` operation makes it conditional."""
    return Patch(orjson.dumps(list(operations)), "application/json-patch+json", {})


def merge_patch(document: Mapping[str, Any]) -> Patch:
    """RFC 7386: what is named replaces what is there, null removes, lists are replaced as a whole."""
    return Patch(orjson.dumps(document), "application/merge-patch+json", {})


def strategic_patch(document: Mapping[str, Any]) -> Patch:
    """Kubernetes' merge patch, in which lists with merge keys are merged; built-in kinds only (415 for custom ones)."""
    return Patch(orjson.dumps(document), "application/strategic-merge-patch+json", {})


def apply(document: Mapping[str, Any], manager: str, *, force: bool = False) -> Patch:
    """Server-side apply: `manager` owns exactly the fields named here, others keep theirs; creates what is absent.

    The document needs apiVersion, kind and metadata.name. Another manager's field is a ConflictError unless forced.
    """
    query = {"fieldManager": manager, "force": "true"} if force else {"fieldManager": manager}
    return Patch(orjson.dumps(document), "application/apply-patch+yaml", query)

"""What is odd about a ConfigMap that can be read: unknown fields, and entries for nodes that overlap.

Nothing here changes what a document means: unknown fields are ignored and of overlapping entries the first wins. But
whoever wrote them wants to know.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

from koord.api.base import Record
from koord.api.errors import ValidationError
from koord.api.gojson import Mismatch, decode, load, unknown_fields
from koord.api.gojson.decode import fold
from koord.api.meta import LabelSelector
from koord.api.selectors.labels import Selector, compile_selector
from koord.api.selectors.overlap import common_labels
from koord.api.selectors.requirement import SelectorError
from koord.api.slo.cpuburst import CPUBurstStrategy
from koord.api.slo.resourceqos import ResourceQOSStrategy
from koord.api.slo.system import SystemStrategy
from koord.api.slo.threshold import ResourceThresholdStrategy
from koord.api.sloconfig import keys
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.sloconfig.nodefeatures import CPUNormalizationStrategy, ResourceAmplificationStrategy
from koord.api.sloconfig.nodeslo import HostApplications
from koord.api.sloconfig.strategies import SUBJECT

_PROFILE: Final = (fold("name"), fold("nodeSelector"))

_LAYERED: Final[dict[str, type[Record]]] = {
    keys.KEY_RESOURCE_THRESHOLD: ResourceThresholdStrategy,
    keys.KEY_RESOURCE_QOS: ResourceQOSStrategy,
    keys.KEY_CPU_BURST: CPUBurstStrategy,
    keys.KEY_SYSTEM: SystemStrategy,
}
_INLINE: Final[dict[str, type[Record]]] = {
    keys.KEY_COLOCATION: ColocationStrategy,
    keys.KEY_HOST_APPLICATION: HostApplications,
    keys.KEY_CPU_NORMALIZATION: CPUNormalizationStrategy,
    keys.KEY_RESOURCE_AMPLIFICATION: ResourceAmplificationStrategy,
}


def review(data: Mapping[str, str]) -> list[ValidationError]:
    """List the oddities of all known keys whose documents are readable JSON objects."""
    findings: list[ValidationError] = []
    for key, text in data.items():
        kind = _LAYERED.get(key) or _INLINE.get(key)
        try:
            document = load(text) if kind else None
        except Mismatch:
            continue
        if kind and isinstance(document, dict):
            findings += _review_document(key, cast("dict[str, Any]", document), kind, layered=key in _LAYERED)
    return findings


def _review_document(key: str, document: dict[str, Any], kind: type[Record], *, layered: bool) -> list[ValidationError]:
    list_key = "nodeStrategies" if layered else "nodeConfigs"
    if layered:
        known = (fold("clusterStrategy"), fold(list_key))
        paths = [path for path in document if fold(path) not in known]
        paths += [f"clusterStrategy.{path}" for path in unknown_fields(_member(document, "clusterStrategy"), kind)]
    else:
        paths = [path for path in unknown_fields(document, kind) if fold(path) != fold(list_key)]
    listed = _member(document, list_key)
    entries = cast("list[Any]", listed) if isinstance(listed, list) else []
    for index, entry in enumerate(entries):
        paths += [f"{list_key}[{index}].{path}" for path in unknown_fields(entry, kind) if fold(path) not in _PROFILE]
    unknown = [_finding(key, path, path.rpartition(".")[2], "a known field; this one is ignored") for path in paths]
    return unknown + _review_selectors(key, list_key, entries)


def _review_selectors(key: str, list_key: str, entries: list[Any]) -> list[ValidationError]:
    findings: list[ValidationError] = []
    earlier: list[tuple[int, Selector]] = []
    for index, entry in enumerate(entries):
        path = f"{list_key}[{index}].nodeSelector"
        try:
            selector = _selector(entry)
        except (SelectorError, Mismatch) as error:
            findings.append(_finding(key, path, str(error), "a valid selector; the entry is skipped"))
            continue
        if selector.requirements is None:
            findings.append(_finding(key, path, None, "a selector; without one the entry matches no node"))
        overlaps = ((other, common_labels(before, selector)) for other, before in earlier)
        overlap = next(((other, labels) for other, labels in overlaps if labels is not None), None)
        if overlap is not None:
            allowed = f"a selector that does not overlap {list_key}[{overlap[0]}], which wins"
            shown = ",".join(f"{label}={overlap[1][label]}" for label in sorted(overlap[1]))
            findings.append(_finding(key, path, shown or "any labels", allowed))
        earlier.append((index, selector))
    return findings


def _member(document: object, key: str) -> object:
    """The value of an object's key, which matches without regard to case; None without it."""
    if not isinstance(document, dict):
        return None
    members = cast("dict[str, object]", document).items()
    return next((value for name, value in members if fold(name) == fold(key)), None)


def _finding(key: str, path: str, found: object, allowed: str) -> ValidationError:
    return ValidationError(SUBJECT, f"data[{key}].{path}", found, allowed)


def _selector(entry: object) -> Selector:
    value = _member(entry, "nodeSelector")
    return compile_selector(None if value is None else decode(value, LabelSelector))

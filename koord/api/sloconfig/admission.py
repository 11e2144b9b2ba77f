"""What admission demands of one key of the ConfigMap, beyond its being readable."""

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, Final, NamedTuple

from koord.api.errors import ValidationError
from koord.api.selectors.labels import Selector, compile_selector
from koord.api.selectors.overlap import common_labels
from koord.api.selectors.requirement import SelectorError
from koord.api.slo.cpuburst import CPUBurstStrategy
from koord.api.slo.resourceqos import ResourceQOSStrategy
from koord.api.slo.system import SystemStrategy
from koord.api.slo.threshold import ResourceThresholdStrategy
from koord.api.sloconfig import keys
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.sloconfig.limits import violations
from koord.api.sloconfig.strategies import SUBJECT, NodeEntry, Strategies, written_inline, written_layered


class Reason(StrEnum):
    """Why a document is refused; part of the answer to the writer."""

    PARSE_FAILED = "ParseConfigFail"
    INVALID = "ConfigParamInvalid"
    OVERLAP = "NodeStrategiesOverlap"


class Refusal(NamedTuple):
    """The first stage that a document fails, with everything that this stage found."""

    reason: Reason
    errors: list[ValidationError]


_READERS: Final[dict[str, tuple[str, Callable[[str, str], Strategies[Any]]]]] = {
    keys.KEY_COLOCATION: ("nodeConfigs", lambda key, text: written_inline(key, text, ColocationStrategy)),
    keys.KEY_RESOURCE_THRESHOLD: (
        "nodeStrategies",
        lambda key, text: written_layered(key, text, ResourceThresholdStrategy),
    ),
    keys.KEY_RESOURCE_QOS: ("nodeStrategies", lambda key, text: written_layered(key, text, ResourceQOSStrategy)),
    keys.KEY_SYSTEM: ("nodeStrategies", lambda key, text: written_layered(key, text, SystemStrategy)),
    keys.KEY_CPU_BURST: ("nodeStrategies", lambda key, text: written_layered(key, text, CPUBurstStrategy)),
}
"""Per key that admission looks at: the name of its list of entries, and its reader."""


def refusal(key: str, text: str, *, names_required: bool = False) -> Refusal | None:
    """Why admission refuses the document of a key, None if it does not; keys that are not checked pass.

    In order: readable, selectors given and valid, values in range (and with `names_required` names given and unique),
    no two entries for the same node. Overlap is decided exactly, so it may find one that trying samples would miss.
    """
    if key not in _READERS:
        return None
    list_key, read = _READERS[key]
    try:
        written = read(key, text)
    except ValidationError as error:
        return Refusal(Reason.PARSE_FAILED, [error])
    path = f"data[{key}].{list_key}"
    for stage in (_selector_errors(written, path), _range_errors(written, key, list_key)):
        if errors := list(stage):
            return Refusal(Reason.INVALID, errors)
    if names_required and (errors := list(_name_errors(written, path))):
        return Refusal(Reason.INVALID, errors)
    errors = list(_overlap_errors(written, path))
    return Refusal(Reason.OVERLAP, errors) if errors else None


def _selector_errors(written: Strategies[Any], path: str) -> Iterator[ValidationError]:
    for index, entry in enumerate(written.nodes):
        where = f"{path}[{index}].nodeSelector"
        try:
            if not _selector(entry).requirements:
                yield ValidationError(SUBJECT, where, None, "a selector with at least one condition")
        except SelectorError as error:
            yield ValidationError(SUBJECT, where, str(error), "a valid label selector")


def _range_errors(written: Strategies[Any], key: str, list_key: str) -> Iterator[ValidationError]:
    cluster = "" if list_key == "nodeConfigs" else "clusterStrategy"
    parts = [(cluster, written.cluster)]
    parts += [(f"{list_key}[{index}]", entry.strategy) for index, entry in enumerate(written.nodes)]
    for where, strategy in parts:
        for path, found, allowed in violations(strategy, where) if strategy is not None else ():
            yield ValidationError(SUBJECT, f"data[{key}].{path}", found, allowed)


def _name_errors(written: Strategies[Any], path: str) -> Iterator[ValidationError]:
    seen: set[str] = set()
    for index, entry in enumerate(written.nodes):
        if not entry.name or entry.name in seen:
            yield ValidationError(SUBJECT, f"{path}[{index}].name", entry.name, "a name that no other entry has")
        seen.add(entry.name)


def _overlap_errors(written: Strategies[Any], path: str) -> Iterator[ValidationError]:
    selectors = [_selector(entry) for entry in written.nodes]
    for index, selector in enumerate(selectors):
        for other, before in enumerate(selectors[:index]):
            common = common_labels(before, selector)
            if common is not None:
                shown = ",".join(f"{label}={common[label]}" for label in sorted(common))
                allowed = f"a selector that does not overlap {path}[{other}]"
                yield ValidationError(SUBJECT, f"{path}[{index}].nodeSelector", shown, allowed)


def _selector(entry: NodeEntry[Any]) -> Selector:
    return compile_selector(entry.selector)

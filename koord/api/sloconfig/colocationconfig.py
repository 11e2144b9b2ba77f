"""The document of `colocation-config`, and the strategy of one node."""

from collections.abc import Mapping
from typing import Final

import msgspec

from koord.api.errors import ValidationError
from koord.api.gojson import Mismatch, parse
from koord.api.gotext import parse_float
from koord.api.names.node import (
    ANNOTATION_COLOCATION_STRATEGY,
    LABEL_CPU_RECLAIM_RATIO,
    LABEL_MEMORY_RECLAIM_RATIO,
    LABEL_MID_STATIC_CPU_RESERVED_RATIO,
    LABEL_MID_STATIC_MEMORY_RESERVED_RATIO,
)
from koord.api.selectors.requirement import Labels
from koord.api.sloconfig import defaults
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.sloconfig.keys import KEY_COLOCATION
from koord.api.sloconfig.limits import NOT_NEGATIVE, RANGES
from koord.api.sloconfig.merge import merged
from koord.api.sloconfig.strategies import SUBJECT, NodeEntry, Strategies, overlaid, written_inline
from koord.api.typeinfo import fields_of

ColocationConfig = Strategies[ColocationStrategy]

DEFAULT: Final[ColocationConfig] = Strategies(defaults.COLOCATION)

_RANGES: Final = {
    **RANGES[ColocationStrategy],
    "midStaticCPUReservedPercent": NOT_NEGATIVE,
    "midStaticMemoryReservedPercent": NOT_NEGATIVE,
}
"""What the fields must be for a strategy to be used at all; admission is a little stricter."""

_RATIO_LABELS: Final = {
    LABEL_CPU_RECLAIM_RATIO: "cpu_reclaim_threshold_percent",
    LABEL_MEMORY_RECLAIM_RATIO: "memory_reclaim_threshold_percent",
    LABEL_MID_STATIC_CPU_RESERVED_RATIO: "mid_static_cpu_reserved_percent",
    LABEL_MID_STATIC_MEMORY_RESERVED_RATIO: "mid_static_memory_reserved_percent",
}


def range_errors(strategy: ColocationStrategy, subject: str, path: str = "") -> list[ValidationError]:
    """What makes a strategy unusable; paths start with the given one."""
    where = f"{path}." if path else ""
    errors: list[ValidationError] = []
    for field in fields_of(ColocationStrategy):
        allowed, value = _RANGES.get(field.key), getattr(strategy, field.name)
        if allowed is not None and value is not None and value not in allowed:
            errors.append(ValidationError(subject, f"{where}{field.key}", value, str(allowed)))
    if strategy.resource_diff_threshold is not None and strategy.resource_diff_threshold <= 0:
        found = strategy.resource_diff_threshold
        errors.append(ValidationError(subject, f"{where}resourceDiffThreshold", found, "more than 0"))
    if strategy.metric_memory_collect_policy == "":
        errors.append(ValidationError(subject, f"{where}metricMemoryCollectPolicy", "", "a policy's name"))
    return errors


def read_colocation(
    data: Mapping[str, str] | None, last: ColocationConfig | None = DEFAULT
) -> tuple[ColocationConfig | None, list[ValidationError]]:
    """Read the key from the ConfigMap's data; None stands for a ConfigMap that does not exist.

    A missing or empty key gives the defaults. A broken document, or cluster values out of range, keep the last good
    configuration, None if there never was one: then nodes are left alone. A node entry whose merged values are out of
    range becomes the cluster strategy. The errors name the path in the document.
    """
    text = (data or {}).get(KEY_COLOCATION)
    if not text:
        return DEFAULT, []
    try:
        config = overlaid(written_inline(KEY_COLOCATION, text, ColocationStrategy), defaults.COLOCATION)
    except ValidationError as error:
        return last, [error]
    document = f"data[{KEY_COLOCATION}]"
    if errors := range_errors(config.cluster, SUBJECT, document):
        return last, errors
    nodes: list[NodeEntry[ColocationStrategy]] = []
    for index, entry in enumerate(config.nodes):
        found = range_errors(entry.strategy, SUBJECT, f"{document}.nodeConfigs[{index}]")
        errors += found
        nodes.append(NodeEntry(entry.name, entry.selector, config.cluster) if found else entry)
    return Strategies(config.cluster, tuple(nodes)), errors


def node_strategy(
    config: ColocationConfig, node: str, labels: Labels, annotations: Labels
) -> tuple[ColocationStrategy, list[ValidationError]]:
    """The strategy of a node: configuration, over it the node's annotation, over that the ratios in its labels.

    A ratio becomes a percent by cutting off what is behind the point (0.29 -> 28, as in float arithmetic). What cannot
    be read is passed over and named in the errors.
    """
    strategy = config.for_node(labels)
    subject = f"Node {node}"
    errors: list[ValidationError] = []
    text = annotations.get(ANNOTATION_COLOCATION_STRATEGY)
    if text is not None:
        try:
            strategy = merged(strategy, parse(text, ColocationStrategy))
        except Mismatch as mismatch:
            path = f"metadata.annotations[{ANNOTATION_COLOCATION_STRATEGY}]"
            where = f"{path}.{mismatch.path}" if mismatch.path else path
            errors.append(ValidationError(subject, where, mismatch.found, mismatch.allowed))
    percents: dict[str, int] = {}
    for label, field in _RATIO_LABELS.items():
        if label not in labels:
            continue
        ratio = parse_float(labels[label])
        if ratio is None or ratio < 0:
            errors.append(ValidationError(subject, f"metadata.labels[{label}]", labels[label], "a number from 0 on"))
        else:
            percents[field] = int(ratio * 100)
    return msgspec.structs.replace(strategy, **percents), errors


def is_enabled(config: ColocationConfig, strategy: ColocationStrategy) -> bool:
    """Whether a node's resources are computed: both the cluster's and the node's own switch must be on."""
    return config.cluster.enable is True and strategy.enable is True

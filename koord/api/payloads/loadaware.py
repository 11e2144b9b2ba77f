"""Load-aware scheduling: thresholds of a node, estimates of a pod."""

from enum import StrEnum

from koord.api.base import Int64, Record
from koord.api.duration import Duration
from koord.api.names import loadaware as names
from koord.api.payloads import texts
from koord.api.payloads.payload import Findings, annotation, json_annotation, odd, unless_one_of


class AggregationType(StrEnum):
    """How samples of a window become one number; also the keys of aggregated usages in NodeMetric."""

    AVERAGE = "avg"
    P99 = "p99"
    P95 = "p95"
    P90 = "p90"
    P50 = "p50"


class AggregatedUsageThresholds(Record, kw_only=True):
    """Thresholds on aggregated usage; they count only with both thresholds and a type."""

    usage_thresholds: dict[str, Int64] = {}
    usage_aggregation_type: str = ""
    usage_aggregated_duration: Duration | None = None


class UsageThresholds(Record, kw_only=True):
    """Usage in percent of allocatable above which a node takes no more pods, by resource."""

    usage_thresholds: dict[str, Int64] = {}
    prod_usage_thresholds: dict[str, Int64] = {}
    aggregated_usage: AggregatedUsageThresholds | None = None


def _review_thresholds(thresholds: UsageThresholds) -> Findings:
    yield from _review_percents(thresholds.usage_thresholds, "usageThresholds")
    yield from _review_percents(thresholds.prod_usage_thresholds, "prodUsageThresholds")
    aggregated = thresholds.aggregated_usage
    if aggregated:
        yield from _review_percents(aggregated.usage_thresholds, "aggregatedUsage", "usageThresholds")
        steps = ("aggregatedUsage", "usageAggregationType")
        yield from unless_one_of(aggregated.usage_aggregation_type, AggregationType, *steps)
        if bool(aggregated.usage_thresholds) != bool(aggregated.usage_aggregation_type):
            found = aggregated.usage_aggregation_type
            yield odd(found, "both usageThresholds and usageAggregationType", "aggregatedUsage")


def _review_percents(table: dict[str, int], *steps: str) -> Findings:
    for resource, percent in table.items():
        if percent < 0:
            yield odd(percent, "0 or more", *steps, resource)


USAGE_THRESHOLDS = json_annotation(names.ANNOTATION_USAGE_THRESHOLDS, UsageThresholds, review=_review_thresholds)
LOAD_ESTIMATED_SCALING_FACTORS = json_annotation(
    names.ANNOTATION_LOAD_ESTIMATED_SCALING_FACTORS, dict[str, Int64], review=_review_percents
)
LOAD_ESTIMATED_SECONDS_AFTER_POD_SCHEDULED = annotation(
    names.ANNOTATION_LOAD_ESTIMATED_SECONDS_AFTER_POD_SCHEDULED, texts.integer()
)
LOAD_ESTIMATED_SECONDS_AFTER_INITIALIZED = annotation(
    names.ANNOTATION_LOAD_ESTIMATED_SECONDS_AFTER_INITIALIZED, texts.integer()
)

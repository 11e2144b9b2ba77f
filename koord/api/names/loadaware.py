"""Load-aware scheduling."""

from typing import Final

ANNOTATION_USAGE_THRESHOLDS: Final = "scheduling.koordinator.sh/usage-thresholds"  # on nodes
ANNOTATION_LOAD_ESTIMATED_SCALING_FACTORS: Final = "scheduling.koordinator.sh/load-estimated-scaling-factors"
ANNOTATION_LOAD_ESTIMATED_SECONDS_AFTER_POD_SCHEDULED: Final = (
    "scheduling.koordinator.sh/load-estimated-seconds-after-pod-scheduled"
)
ANNOTATION_LOAD_ESTIMATED_SECONDS_AFTER_INITIALIZED: Final = (
    "scheduling.koordinator.sh/load-estimated-seconds-after-initialized"
)

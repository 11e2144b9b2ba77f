"""Scheduler keys that belong to no single plugin."""

from typing import Final

LABEL_SCHEDULER_NAME: Final = "scheduling.koordinator.sh/scheduler-name"
ANNOTATION_ORIGINAL_SCHEDULER_NAME: Final = "internal.scheduling.koordinator.sh/original-scheduler-name"
ANNOTATION_SCHEDULING_HINT: Final = "internal.scheduling.koordinator.sh/scheduling-hint"
DEPRECATED_ANNOTATION_SCHEDULING_HINT: Final = "scheduling.koordinator.sh/scheduling-hint"
LABEL_QUESTIONED_OBJECT_KEY: Final = "scheduling.koordinator.sh/questioned-object-key"
LABEL_TOPOLOGY_KEY_TO_EXPLAIN: Final = "scheduling.koordinator.sh/topology-key-to-explain"  # declared; no reader
ANNOTATION_SYNC_BARRIER_PREFIX: Final = "scheduling.koordinator.sh/sync-barrier-"  # + name of the Lease

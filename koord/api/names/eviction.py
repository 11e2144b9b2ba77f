"""Eviction, descheduling and migration."""

from typing import Final

LABEL_EVICTION_ENABLED: Final = "koordinator.sh/eviction-enabled"
ANNOTATION_EVICTION_POLICY: Final = "koordinator.sh/eviction-policy"
ANNOTATION_EVICTION_PRIORITY: Final = "koordinator.sh/eviction-priority"

ANNOTATION_EVICTION_COST: Final = "scheduling.koordinator.sh/eviction-cost"
ANNOTATION_SOFT_EVICTION: Final = "scheduling.koordinator.sh/soft-eviction"
LABEL_EVICT_POLICY: Final = "koordinator.sh/evict-policy"  # on pods, then on PodMigrationJobs
ANNOTATION_EVICT_REASON: Final = "koordinator.sh/evict-reason"
ANNOTATION_EVICT_TRIGGER: Final = "koordinator.sh/evict-trigger"
ANNOTATION_JOB_CREATED_BY: Final = "koordinator.sh/job-created-by"
ANNOTATION_PASSED_ARBITRATION: Final = "descheduler.koordinator.sh/passed-arbitration"
ANNOTATION_POD_ARBITRATING: Final = "descheduler.koordinator.sh/pod-arbitrating"  # in memory only
ANNOTATION_EVICTABLE: Final = "descheduler.alpha.kubernetes.io/evict"
ANNOTATION_POD_DELETION_COST: Final = "controller.kubernetes.io/pod-deletion-cost"

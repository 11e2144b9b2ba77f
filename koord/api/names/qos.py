"""QoS class, priority, and the pod-level QoS knobs that koordlet reads."""

from typing import Final

LABEL_QOS_CLASS: Final = "koordinator.sh/qosClass"
LABEL_PRIORITY_CLASS: Final = "koordinator.sh/priority-class"
LABEL_PRIORITY: Final = "koordinator.sh/priority"  # integer sub-priority inside a band
LABEL_PREEMPTION_POLICY: Final = "scheduling.koordinator.sh/preemption-policy"
LABEL_DISABLE_PREEMPTIBLE: Final = "scheduling.koordinator.sh/disable-preemptible"

ANNOTATION_CPU_BURST: Final = "koordinator.sh/cpuBurst"
ANNOTATION_CPU_QOS: Final = "koordinator.sh/cpuQOS"
ANNOTATION_MEMORY_QOS: Final = "koordinator.sh/memoryQOS"
ANNOTATION_BLKIO_QOS: Final = "koordinator.sh/blkioQOS"
ANNOTATION_NETWORK_QOS: Final = "koordinator.sh/networkQOS"
ANNOTATION_RESCTRL: Final = "node.koordinator.sh/resctrl"  # node prefix, but it sits on pods
ANNOTATION_OOM_SCORE_ADJ: Final = "koordinator.sh/oom-score-adj"
ANNOTATION_OOM_SCORE_ADJ_SPEC: Final = "koordinator.sh/oom-score-adj-spec"

LABEL_CORE_SCHED_GROUP_ID: Final = "koordinator.sh/core-sched-group-id"
LABEL_CORE_SCHED_POLICY: Final = "koordinator.sh/core-sched-policy"

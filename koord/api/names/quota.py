"""Elastic quotas: keys on pods, ElasticQuota and ElasticQuotaProfile objects, reserved quota names."""

from typing import Final

SYSTEM_QUOTA: Final = "koordinator-system-quota"
ROOT_QUOTA: Final = "koordinator-root-quota"
DEFAULT_QUOTA: Final = "koordinator-default-quota"

LABEL_QUOTA_NAME: Final = "quota.scheduling.koordinator.sh/name"  # on pods
LABEL_PREEMPTIBLE: Final = "quota.scheduling.koordinator.sh/preemptible"  # on pods
LABEL_QUOTA_IS_PARENT: Final = "quota.scheduling.koordinator.sh/is-parent"
LABEL_QUOTA_PARENT: Final = "quota.scheduling.koordinator.sh/parent"
LABEL_ALLOW_LENT_RESOURCE: Final = "quota.scheduling.koordinator.sh/allow-lent-resource"
LABEL_ALLOW_FORCE_UPDATE: Final = "quota.scheduling.koordinator.sh/allow-force-update"
LABEL_QUOTA_IS_ROOT: Final = "quota.scheduling.koordinator.sh/is-root"
LABEL_QUOTA_TREE_ID: Final = "quota.scheduling.koordinator.sh/tree-id"
LABEL_QUOTA_IGNORE_DEFAULT_TREE: Final = "quota.scheduling.koordinator.sh/ignore-default-tree"
LABEL_QUOTA_PROFILE: Final = "quota.scheduling.koordinator.sh/profile"

ANNOTATION_SHARED_WEIGHT: Final = "quota.scheduling.koordinator.sh/shared-weight"
ANNOTATION_RUNTIME: Final = "quota.scheduling.koordinator.sh/runtime"
ANNOTATION_REQUEST: Final = "quota.scheduling.koordinator.sh/request"
ANNOTATION_CHILD_REQUEST: Final = "quota.scheduling.koordinator.sh/child-request"
ANNOTATION_GUARANTEED: Final = "quota.scheduling.koordinator.sh/guaranteed"
ANNOTATION_ALLOCATED: Final = "quota.scheduling.koordinator.sh/allocated"
ANNOTATION_NON_PREEMPTIBLE_REQUEST: Final = "quota.scheduling.koordinator.sh/non-preemptible-request"
ANNOTATION_NON_PREEMPTIBLE_USED: Final = "quota.scheduling.koordinator.sh/non-preemptible-used"
ANNOTATION_UNSCHEDULABLE_RESOURCE: Final = "quota.scheduling.koordinator.sh/unschedulable-resource"
ANNOTATION_TOTAL_RESOURCE: Final = "quota.scheduling.koordinator.sh/total-resource"
ANNOTATION_RESOURCE_KEYS: Final = "quota.scheduling.koordinator.sh/resource-keys"
ANNOTATION_QUOTA_NAMESPACES: Final = "quota.scheduling.koordinator.sh/namespaces"
ANNOTATION_ADMISSION: Final = "quota.scheduling.koordinator.sh/admission"
ANNOTATION_MAX_STRICT_CHECK_RESOURCE_KEYS: Final = "quota.scheduling.koordinator.sh/max-strict-check-resource-keys"

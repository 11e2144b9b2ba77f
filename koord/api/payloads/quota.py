"""Elastic quotas."""

from koord.api.base import ResourceList
from koord.api.names import quota as names
from koord.api.payloads import texts
from koord.api.payloads.payload import Findings, Payload, json_annotation, label, odd

QUOTA_NAME = label(names.LABEL_QUOTA_NAME, texts.TEXT)
PREEMPTIBLE = label(names.LABEL_PREEMPTIBLE, texts.FLAG_UNLESS_FALSE)
QUOTA_IS_PARENT = label(names.LABEL_QUOTA_IS_PARENT, texts.FLAG)
QUOTA_PARENT = label(names.LABEL_QUOTA_PARENT, texts.TEXT)
ALLOW_LENT_RESOURCE = label(names.LABEL_ALLOW_LENT_RESOURCE, texts.FLAG_UNLESS_FALSE)
ALLOW_FORCE_UPDATE = label(names.LABEL_ALLOW_FORCE_UPDATE, texts.FLAG)
QUOTA_IS_ROOT = label(names.LABEL_QUOTA_IS_ROOT, texts.FLAG)
QUOTA_TREE_ID = label(names.LABEL_QUOTA_TREE_ID, texts.TEXT)
QUOTA_IGNORE_DEFAULT_TREE = label(names.LABEL_QUOTA_IGNORE_DEFAULT_TREE, texts.FLAG)
QUOTA_PROFILE = label(names.LABEL_QUOTA_PROFILE, texts.TEXT)


def _review_amounts(amounts: ResourceList) -> Findings:
    for name, amount in amounts.items():
        if amount.sign < 0:
            yield odd(str(amount), "0 or more", name)


def _amounts(key: str) -> Payload[ResourceList]:
    return json_annotation(key, ResourceList, review=_review_amounts)


SHARED_WEIGHT = _amounts(names.ANNOTATION_SHARED_WEIGHT)
RUNTIME = _amounts(names.ANNOTATION_RUNTIME)
REQUEST = _amounts(names.ANNOTATION_REQUEST)
CHILD_REQUEST = _amounts(names.ANNOTATION_CHILD_REQUEST)
GUARANTEED = _amounts(names.ANNOTATION_GUARANTEED)
ALLOCATED = _amounts(names.ANNOTATION_ALLOCATED)
NON_PREEMPTIBLE_REQUEST = _amounts(names.ANNOTATION_NON_PREEMPTIBLE_REQUEST)
NON_PREEMPTIBLE_USED = _amounts(names.ANNOTATION_NON_PREEMPTIBLE_USED)
UNSCHEDULABLE_RESOURCE = _amounts(names.ANNOTATION_UNSCHEDULABLE_RESOURCE)
TOTAL_RESOURCE = _amounts(names.ANNOTATION_TOTAL_RESOURCE)
ADMISSION = _amounts(names.ANNOTATION_ADMISSION)

RESOURCE_KEYS = json_annotation(names.ANNOTATION_RESOURCE_KEYS, list[str])
QUOTA_NAMESPACES = json_annotation(names.ANNOTATION_QUOTA_NAMESPACES, list[str])
MAX_STRICT_CHECK_RESOURCE_KEYS = json_annotation(names.ANNOTATION_MAX_STRICT_CHECK_RESOURCE_KEYS, list[str])

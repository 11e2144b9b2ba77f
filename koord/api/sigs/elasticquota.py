"""ElasticQuota: the guaranteed and the largest amount of resources of a group of pods."""

from typing import ClassVar

import msgspec

from koord.api.base import Record, ResourceList
from koord.api.customresource import CustomResource
from koord.api.meta import Object


class ElasticQuotaSpec(Record, kw_only=True):
    """Guaranteed (`min`) and largest (`max`) amounts."""

    min: ResourceList = {}
    max: ResourceList = {}


class ElasticQuotaStatus(Record, kw_only=True):
    """What is used."""

    used: ResourceList = {}


class ElasticQuota(Object, kw_only=True):
    """The guaranteed and the largest amount of resources of a group of pods."""

    RESOURCE: ClassVar = CustomResource(
        "scheduling.sigs.k8s.io",
        "v1alpha1",
        "ElasticQuota",
        "elasticquotas",
        namespaced=True,
        annotations={"api-approved.kubernetes.io": "https://github.com/kubernetes-sigs/scheduler-plugins/pull/52"},
    )

    spec: ElasticQuotaSpec = msgspec.field(default_factory=ElasticQuotaSpec)
    status: ElasticQuotaStatus = msgspec.field(default_factory=ElasticQuotaStatus)

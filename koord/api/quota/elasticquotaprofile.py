"""ElasticQuotaProfile: a root quota whose size follows the nodes it selects."""

from typing import Annotated, ClassVar

import msgspec

from koord.api.base import Record, Schema
from koord.api.customresource import CustomResource
from koord.api.meta import LabelSelector, Object


class ElasticQuotaProfileSpec(Record, kw_only=True):
    """The quota, its nodes, and the decimal share of them that it gets, e.g. `0.9`."""

    quota_name: str
    quota_labels: dict[str, str] = {}
    resource_ratio: str | None = None
    node_selector: LabelSelector


class ElasticQuotaProfileStatus(Record, kw_only=True):
    """Has no fields."""


class ElasticQuotaProfile(Object, kw_only=True):
    """A root quota whose size follows the nodes it selects."""

    RESOURCE: ClassVar = CustomResource(
        "quota.koordinator.sh",
        "v1alpha1",
        "ElasticQuotaProfile",
        "elasticquotaprofiles",
        namespaced=True,
        short_names=("eqp",),
    )

    spec: Annotated[ElasticQuotaProfileSpec, Schema(required=False)]
    status: ElasticQuotaProfileStatus = msgspec.field(default_factory=ElasticQuotaProfileStatus)

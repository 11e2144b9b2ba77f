"""SystemStrategy: settings of the node's kernel."""

from typing import Annotated

from koord.api.base import Int64, Record, Schema
from koord.api.quantity import Quantity


class SystemStrategy(Record, kw_only=True):
    """Kernel settings; totalNetworkBandwidth in bits per second, always written: unset is 0."""

    min_free_kbytes_factor: Int64 | None = None
    watermark_scale_factor: Int64 | None = None
    memcg_reap_back_ground: Int64 | None = None
    total_network_bandwidth: Annotated[Quantity, Schema(required=False)]
    sched_features: dict[str, bool] = {}
    sched_idle_saver_wmark: Int64 | None = None
    sched_group_identity_enabled: Int64 | None = None
    page_cache_limit_enabled: Int64 | None = None

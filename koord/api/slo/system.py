"""SystemStrategy: settings of the node's kernel."""

from koord.api.base import Int64, Record
from koord.api.quantity import Quantity


class SystemStrategy(Record, kw_only=True):
    """Kernel settings; totalNetworkBandwidth in bits per second."""

    min_free_kbytes_factor: Int64 | None = None
    watermark_scale_factor: Int64 | None = None
    memcg_reap_back_ground: Int64 | None = None
    total_network_bandwidth: Quantity | None = None
    sched_features: dict[str, bool] = {}
    sched_idle_saver_wmark: Int64 | None = None
    sched_group_identity_enabled: Int64 | None = None
    page_cache_limit_enabled: Int64 | None = None

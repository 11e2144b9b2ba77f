"""Block-device QoS of a class: limits, weights and latency targets per device."""

from typing import Annotated

from koord.api.base import Int64, Record, Schema

Share = Annotated[Int64, Schema(minimum=0, maximum=100)]
Limit = Annotated[Int64, Schema(minimum=0)]
Model = Annotated[Int64, Schema(minimum=1)]


class IOConfig(Record, kw_only=True):
    """Settings of one device; BPS in bytes per second, latencies in microseconds, 0 is no limit."""

    read_iops: Limit | None = None
    write_iops: Limit | None = None
    read_bps: Limit | None = None
    write_bps: Limit | None = None
    io_weight_percent: Annotated[Int64, Schema(minimum=1, maximum=100)] | None = None
    read_latency: Int64 | None = None
    write_latency: Int64 | None = None
    read_latency_percent: Share | None = None
    write_latency_percent: Share | None = None
    enable_user_model: bool | None = None
    model_read_bps: Model | None = None
    model_write_bps: Model | None = None
    model_read_seq_iops: Model | None = None
    model_write_seq_iops: Model | None = None
    model_read_rand_iops: Model | None = None
    model_write_rand_iops: Model | None = None


class BlockConfig(Record, kw_only=True):
    """A device and its settings, which are always written; `type` is `device`, `volumegroup` or `podvolume`."""

    name: str = ""
    type: str = ""
    io_cfg: Annotated[IOConfig, Schema(required=False)]


class BlkIOQOS(Record, kw_only=True):
    """Block-device QoS of a class."""

    enable: bool | None = None
    blocks: list[BlockConfig] = []

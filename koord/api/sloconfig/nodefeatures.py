"""Strategies for CPU normalization and resource amplification."""

from koord.api.base import Record


class ModelRatio(Record, kw_only=True):
    """Speed of a CPU model relative to the base, by hyper-threading and turbo."""

    base_ratio: float | None = None
    hyper_thread_enabled_ratio: float | None = None
    turbo_enabled_ratio: float | None = None
    hyper_thread_turbo_enabled_ratio: float | None = None


class CPUNormalizationStrategy(Record, kw_only=True):
    """Ratios by CPU model; `default_ratio` serves for what the table does not say."""

    enable: bool | None = None
    default_ratio: float | None = None
    ratio_model: dict[str, ModelRatio] = {}


class ResourceAmplificationStrategy(Record, kw_only=True):
    """Factors on the node's allocatable, by resource name."""

    enable: bool | None = None
    resource_amplification_ratio: dict[str, float] = {}

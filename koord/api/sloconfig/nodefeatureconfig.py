"""The documents of `cpu-normalization-config` and `resource-amplification-config`."""

from collections.abc import Mapping
from typing import Final, TypeVar

from koord.api.base import Record
from koord.api.errors import ValidationError
from koord.api.sloconfig import defaults
from koord.api.sloconfig.keys import KEY_CPU_NORMALIZATION, KEY_RESOURCE_AMPLIFICATION
from koord.api.sloconfig.nodefeatures import CPUNormalizationStrategy, ResourceAmplificationStrategy
from koord.api.sloconfig.strategies import Strategies, overlaid, written_inline

S = TypeVar("S", bound=Record)

NormalizationConfig = Strategies[CPUNormalizationStrategy]
AmplificationConfig = Strategies[ResourceAmplificationStrategy]

DEFAULT_NORMALIZATION: Final[NormalizationConfig] = Strategies(defaults.CPU_NORMALIZATION)
DEFAULT_AMPLIFICATION: Final[AmplificationConfig] = Strategies(defaults.RESOURCE_AMPLIFICATION)


def read_normalization(
    data: Mapping[str, str] | None, last: NormalizationConfig = DEFAULT_NORMALIZATION
) -> tuple[NormalizationConfig, ValidationError | None]:
    """Read `cpu-normalization-config`; a missing key gives the defaults, a broken one the last good configuration.

    Ratios are not checked here but when a node's ratio is computed.
    """
    return _read(data, KEY_CPU_NORMALIZATION, defaults.CPU_NORMALIZATION, last)


def read_amplification(
    data: Mapping[str, str] | None, last: AmplificationConfig = DEFAULT_AMPLIFICATION
) -> tuple[AmplificationConfig, ValidationError | None]:
    """Read `resource-amplification-config`; a missing key gives the defaults, a broken one the last configuration."""
    return _read(data, KEY_RESOURCE_AMPLIFICATION, defaults.RESOURCE_AMPLIFICATION, last)


def _read(
    data: Mapping[str, str] | None, key: str, default: S, last: Strategies[S]
) -> tuple[Strategies[S], ValidationError | None]:
    text = (data or {}).get(key)
    if text is None:
        return Strategies(default), None
    try:
        return overlaid(written_inline(key, text, type(default)), default), None
    except ValidationError as error:
        return last, error

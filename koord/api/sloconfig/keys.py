"""The ConfigMap's name and data keys."""

from typing import Final

CONFIG_MAP_NAME: Final = "slo-controller-config"
CONFIG_MAP_NAMESPACE: Final = "koordinator-system"

KEY_COLOCATION: Final = "colocation-config"
KEY_RESOURCE_THRESHOLD: Final = "resource-threshold-config"
KEY_RESOURCE_QOS: Final = "resource-qos-config"
KEY_CPU_BURST: Final = "cpu-burst-config"
KEY_SYSTEM: Final = "system-config"
KEY_HOST_APPLICATION: Final = "host-application-config"
KEY_CPU_NORMALIZATION: Final = "cpu-normalization-config"
KEY_RESOURCE_AMPLIFICATION: Final = "resource-amplification-config"

EVENT_COLOCATION_UNMARSHAL_FAILED: Final = "ColocationCfgUnmarshalFailed"
EVENT_SLO_UNMARSHAL_FAILED: Final = "SLOCfgUnmarshalFailed"
EVENT_CPU_NORMALIZATION_UNMARSHAL_FAILED: Final = "CPUNormalizationCfgUnmarshalFailed"
EVENT_RESOURCE_AMPLIFICATION_UNMARSHAL_FAILED: Final = "ResourceAmplificationCfgUnmarshalFailed"

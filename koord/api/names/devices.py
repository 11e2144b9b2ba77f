"""Devices: allocation on pods, metadata of Device objects, keys of vendors' device plugins."""

from typing import Final

ANNOTATION_DEVICE_ALLOCATED: Final = "scheduling.koordinator.sh/device-allocated"
ANNOTATION_DEVICE_ALLOCATE_HINT: Final = "scheduling.koordinator.sh/device-allocate-hint"
ANNOTATION_DEVICE_JOINT_ALLOCATE: Final = "scheduling.koordinator.sh/device-joint-allocate"
ANNOTATION_GPU_PARTITION_SPEC: Final = "scheduling.koordinator.sh/gpu-partition-spec"
ANNOTATION_GPU_PARTITIONS: Final = "scheduling.koordinator.sh/gpu-partitions"  # on Device

LABEL_GPU_ISOLATION_PROVIDER: Final = "koordinator.sh/gpu-isolation-provider"
LABEL_GPU_PARTITION_POLICY: Final = "node.koordinator.sh/gpu-partition-policy"
LABEL_GPU_VENDOR: Final = "node.koordinator.sh/gpu-vendor"
LABEL_GPU_MODEL: Final = "node.koordinator.sh/gpu-model"
LABEL_GPU_DRIVER_VERSION: Final = "node.koordinator.sh/gpu-driver-version"
LABEL_SECONDARY_DEVICE_WELL_PLANNED: Final = "node.koordinator.sh/secondary-device-well-planned"

DEPRECATED_LABELS: Final = {
    "kubernetes.io/gpu-driver": LABEL_GPU_DRIVER_VERSION,
    "kubernetes.io/gpu-model": LABEL_GPU_MODEL,
}

# Written for vendors' device plugins, gate DevicePluginAdaption.
ANNOTATION_BIND_TIMESTAMP: Final = "scheduling.koordinator.sh/bind-timestamp"  # unix nanoseconds
ANNOTATION_GPU_MINORS: Final = "scheduling.koordinator.sh/gpu-minors"  # comma list
ANNOTATION_PREDICATE_TIME: Final = "predicate-time"  # unix nanoseconds
ANNOTATION_HUAWEI_NPU_CORE: Final = "huawei.com/npu-core"
ANNOTATION_HUAWEI_ASCEND_310P: Final = "huawei.com/Ascend310P"
ANNOTATION_CAMBRICON_DSMLU_ASSIGNED: Final = "CAMBRICON_DSMLU_ASSIGHED"  # spelled so on the wire
ANNOTATION_CAMBRICON_DSMLU_PROFILE: Final = "CAMBRICON_DSMLU_PROFILE"
ANNOTATION_METAX_DEVICES_ALLOCATED: Final = "metax-tech.com/gpu-devices-allocated"
ANNOTATION_HAMI_NODE_LOCK: Final = "hami.io/mutex.lock"
ANNOTATION_CAMBRICON_NODE_LOCK: Final = "cambricon.com/dsmlu.lock"
LABEL_HAMI_VGPU_NODE: Final = "hami.io/vgpu-node"

GPU_ISOLATION_PROVIDER_HAMI_CORE: Final = "HAMi-core"

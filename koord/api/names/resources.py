"""Resource names, and the translation of native names by priority class."""

from typing import Final

RESOURCE_CPU: Final = "cpu"
RESOURCE_MEMORY: Final = "memory"

RESOURCE_BATCH_CPU: Final = "kubernetes.io/batch-cpu"  # milli-cores, plain integer
RESOURCE_BATCH_MEMORY: Final = "kubernetes.io/batch-memory"  # bytes
RESOURCE_MID_CPU: Final = "kubernetes.io/mid-cpu"  # milli-cores, plain integer
RESOURCE_MID_MEMORY: Final = "kubernetes.io/mid-memory"  # bytes

RESOURCE_GPU: Final = "koordinator.sh/gpu"  # percent, 100 = one card
RESOURCE_GPU_SHARED: Final = "koordinator.sh/gpu.shared"  # cards that the request is spread over
RESOURCE_GPU_CORE: Final = "koordinator.sh/gpu-core"  # percent of compute
RESOURCE_GPU_MEMORY: Final = "koordinator.sh/gpu-memory"  # bytes
RESOURCE_GPU_MEMORY_RATIO: Final = "koordinator.sh/gpu-memory-ratio"  # percent of memory
RESOURCE_RDMA: Final = "koordinator.sh/rdma"  # percent, 100 = one device
RESOURCE_FPGA: Final = "koordinator.sh/fpga"  # percent, 100 = one device
RESOURCE_NVIDIA_GPU: Final = "nvidia.com/gpu"  # whole cards
RESOURCE_AMD_GPU: Final = "amd.com/gpu"  # whole cards
RESOURCE_HYGON_DCU: Final = "dcu.com/gpu"  # whole cards
RESOURCE_HUAWEI_NPU_CORE: Final = "huawei.com/npu-core"
RESOURCE_HUAWEI_NPU_CPU: Final = "huawei.com/npu-cpu"
RESOURCE_HUAWEI_NPU_DVPP: Final = "huawei.com/npu-dvpp"

ANNOTATION_EXTENDED_RESOURCE_SPEC: Final = "node.koordinator.sh/extended-resource-spec"
ANNOTATION_REPLACE_RESOURCES: Final = "pod.koordinator.sh/replace-resources"

# Names still understood on read, and what they stand for.
DEPRECATED_RESOURCES: Final = {
    "koordinator.sh/batch-cpu": RESOURCE_BATCH_CPU,
    "koordinator.sh/batch-memory": RESOURCE_BATCH_MEMORY,
    "kubernetes.io/rdma": RESOURCE_RDMA,
    "kubernetes.io/fpga": RESOURCE_FPGA,
    "kubernetes.io/gpu": RESOURCE_GPU,
    "kubernetes.io/gpu-core": RESOURCE_GPU_CORE,
    "kubernetes.io/gpu-memory": RESOURCE_GPU_MEMORY,
    "kubernetes.io/gpu-memory-ratio": RESOURCE_GPU_MEMORY_RATIO,
}

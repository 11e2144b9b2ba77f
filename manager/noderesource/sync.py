"""Whether a calculated node must be written: its status, and its labels and annotations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from koord.api.core.node import Node
from koord.api.names import devices
from koord.api.names import node as node_names
from koord.api.names import resources as names
from manager.noderesource.amounts import is_different
from manager.noderesource.normalization import ratio_differs

STATUS_RESOURCES: Final[Mapping[str, tuple[str, ...]]] = {
    "MidResource": (names.RESOURCE_MID_CPU, names.RESOURCE_MID_MEMORY),
    "BatchResource": (names.RESOURCE_BATCH_CPU, names.RESOURCE_BATCH_MEMORY),
    "GPUDeviceResource": (
        names.RESOURCE_GPU,
        names.RESOURCE_GPU_CORE,
        names.RESOURCE_GPU_MEMORY,
        names.RESOURCE_GPU_MEMORY_RATIO,
        names.RESOURCE_GPU_SHARED,
        names.RESOURCE_HUAWEI_NPU_CORE,
        names.RESOURCE_HUAWEI_NPU_CPU,
        names.RESOURCE_HUAWEI_NPU_DVPP,
    ),
    "RDMADeviceResource": (names.RESOURCE_RDMA,),
}
"""The resources whose change makes each plugin ask for a write."""

GPU_LABELS: Final = (devices.LABEL_GPU_VENDOR, devices.LABEL_GPU_MODEL, devices.LABEL_GPU_DRIVER_VERSION)


@dataclass(frozen=True)
class SyncNeed:
    """Which plugins ask for a write of the status and of the metadata, and whether the status is due anyway."""

    status: dict[str, bool]
    metadata: dict[str, bool]
    due: bool

    @property
    def status_needed(self) -> bool:
        """Whether the status must be written."""
        return self.due or any(self.status.values())

    @property
    def metadata_needed(self) -> bool:
        """Whether labels and annotations must be written."""
        return any(self.metadata.values())


def sync_need(
    old: Node, new: Node, diff_threshold: float, period_seconds: float, since_last_seconds: float | None
) -> SyncNeed:
    """Compare the stored node with the calculated one.

    The status is due when it was never written (`since_last_seconds` None) or longer ago than the period. A calculated
    node without capacity or allocatable is never written.
    """
    if not new.status.capacity or not new.status.allocatable:
        return SyncNeed({}, {}, due=False)
    before, after = old.status.allocatable, new.status.allocatable
    status = {
        plugin: any(is_different(before.get(name), after.get(name), diff_threshold) for name in resources)
        for plugin, resources in STATUS_RESOURCES.items()
    }
    due = since_last_seconds is None or since_last_seconds > period_seconds
    return SyncNeed(status, _metadata(old, new), due)


def _metadata(old: Node, new: Node) -> dict[str, bool]:
    before, after = old.metadata.annotations, new.metadata.annotations
    ratio, amplification = (
        node_names.ANNOTATION_CPU_NORMALIZATION_RATIO,
        node_names.ANNOTATION_RESOURCE_AMPLIFICATION_RATIO,
    )
    return {
        "CPUNormalization": ratio_differs(before.get(ratio), after.get(ratio)),
        "ResourceAmplification": before.get(amplification) != after.get(amplification),
        "GPUDeviceResource": any(old.metadata.labels.get(key) != new.metadata.labels.get(key) for key in GPU_LABELS),
    }

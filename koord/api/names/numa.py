"""CPU and NUMA orchestration: pod annotations, node labels, annotations of the NodeResourceTopology."""

from typing import Final

ANNOTATION_RESOURCE_SPEC: Final = "scheduling.koordinator.sh/resource-spec"
ANNOTATION_NUMA_TOPOLOGY_SPEC: Final = "scheduling.koordinator.sh/numa-topology-spec"
ANNOTATION_RESOURCE_STATUS: Final = "scheduling.koordinator.sh/resource-status"

LABEL_CPU_BIND_POLICY: Final = "node.koordinator.sh/cpu-bind-policy"
LABEL_NUMA_ALLOCATE_STRATEGY: Final = "node.koordinator.sh/numa-allocate-strategy"
LABEL_NUMA_TOPOLOGY_POLICY: Final = "node.koordinator.sh/numa-topology-policy"
LABEL_ENABLE_NUMA_RESERVATION: Final = "node.koordinator.sh/enable-numa-reservation"

ANNOTATION_CPU_TOPOLOGY: Final = "node.koordinator.sh/cpu-topology"
ANNOTATION_CPU_SHARED_POOLS: Final = "node.koordinator.sh/cpu-shared-pools"  # LS pool
ANNOTATION_BE_CPU_SHARED_POOLS: Final = "node.koordinator.sh/be-cpu-shared-pools"
ANNOTATION_KUBELET_CPU_MANAGER_POLICY: Final = "kubelet.koordinator.sh/cpu-manager-policy"
ANNOTATION_POD_CPU_ALLOCS: Final = "node.koordinator.sh/pod-cpu-allocs"

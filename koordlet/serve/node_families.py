"""Metrics of the node: Koordinator's names where it has one, ours with the prefix koordlet_ext_."""

from koordlet.collect.disk import StorageSample
from koordlet.collect.node import NodeSample
from koordlet.collect.node_info import NodeInfo
from koordlet.collect.readiness import Collectors
from koordlet.serve.exposition import Exposition, labels


def write_node(out: Exposition, node: str, sample: NodeSample) -> None:
    """CPU and memory of the node and of its NUMA nodes."""
    here = labels({"node": node})
    out.single("koordlet_node_used_cpu_cores", "gauge", "CPU use of the node, in cores.", here, sample.cpu_cores)
    out.single("koordlet_node_used_memory_bytes", "gauge", "MemTotal - MemAvailable.", here, sample.memory.used)
    with_cache = sample.memory.used_with_page_cache
    name = "koordlet_ext_node_used_memory_with_page_cache_bytes"
    out.single(name, "gauge", "MemTotal - MemFree.", here, with_cache)
    out.family("koordlet_ext_node_numa_used_cpu_cores", "gauge", "CPU use of a NUMA node, in cores.")
    for numa, cores in sample.numa_cpu_cores.items():
        out.sample("koordlet_ext_node_numa_used_cpu_cores", labels({"node": node, "numa_node_id": str(numa)}), cores)
    out.family("koordlet_ext_node_numa_used_memory_bytes", "gauge", "Memory use of a NUMA node without file pages.")
    for numa, memory in sample.numa_memory.items():
        text = labels({"node": node, "numa_node_id": str(numa)})
        out.sample("koordlet_ext_node_numa_used_memory_bytes", text, memory.used)


def write_node_info(out: Exposition, node: str, info: NodeInfo) -> None:
    """What the node is made of."""
    text = labels({"node": node, "cpu_model": info.cpu_model, "vendor": info.vendor, "smt": str(info.smt).lower()})
    out.single("koordlet_ext_node_cpu_info", "gauge", "CPUs that are online, by what they are.", text, len(info.cpus))


def write_storage(out: Exposition, node: str, storage: StorageSample) -> None:
    """Disks and local filesystems."""
    disks = [(disk.counters, labels({"node": node, "device": disk.counters.name})) for disk in storage.disks]
    counters = [
        ("koordlet_ext_disk_read_bytes_total", "Bytes read.", [disk.read_bytes for disk, _ in disks]),
        ("koordlet_ext_disk_written_bytes_total", "Bytes written.", [disk.written_bytes for disk, _ in disks]),
        (
            "koordlet_ext_disk_busy_seconds_total",
            "Time with a request in flight.",
            [disk.busy_ms / 1e3 for disk, _ in disks],
        ),
    ]
    for name, text, values in counters:
        out.family(name, "counter", text)
        for (_, label_text), value in zip(disks, values, strict=True):
            out.sample(name, label_text, value)
    for name, text, field in (
        ("koordlet_ext_filesystem_size_bytes", "Size of a local filesystem.", "size_bytes"),
        ("koordlet_ext_filesystem_available_bytes", "Bytes that unprivileged processes can use.", "available_bytes"),
    ):
        out.family(name, "gauge", text)
        for filesystem in storage.filesystems:
            where = {
                "node": node,
                "mountpoint": filesystem.point,
                "device": filesystem.source,
                "fstype": filesystem.filesystem,
            }
            out.sample(name, labels(where), float(getattr(filesystem, field)))


# Koordinator counts the rounds of these collectors under names of their own.
_STATUS_COUNTERS = {
    "node-cpu-info": "koordlet_collect_node_cpu_info_status",
    "node-storage": "koordlet_collect_node_local_storage_info_status",
}


def write_collectors(out: Exposition, node: str, collectors: Collectors) -> None:
    """Readiness and rounds of each collector."""
    for collector, name in _STATUS_COUNTERS.items():
        status = collectors.status.get(collector)
        if status is not None:
            out.family(name, "counter", "Rounds by their result.")
            out.sample(name, labels({"node": node, "status": "succeeded"}), status.rounds)
            out.sample(name, labels({"node": node, "status": "failed"}), status.failures)
    out.family("koordlet_ext_collector_ready", "gauge", "1 when the newest round of the collector worked.")
    for status in collectors.status.values():
        text = labels({"node": node, "collector": status.name})
        out.sample("koordlet_ext_collector_ready", text, 1 if status.ready else 0)
    out.family("koordlet_ext_collector_rounds_total", "counter", "Rounds by their result.")
    for status in collectors.status.values():
        for result, value in (("succeeded", status.rounds), ("failed", status.failures)):
            text = labels({"node": node, "collector": status.name, "status": result})
            out.sample("koordlet_ext_collector_rounds_total", text, value)

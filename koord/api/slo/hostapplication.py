"""Applications that run on the host beside the pods, found by their cgroup."""

from koord.api.base import Record


class CgroupPath(Record, kw_only=True):
    """A cgroup: base `CgroupRoot`, `Kubepods`, `KubepodsBurstable` or `KubepodsBesteffort`, and the way below it."""

    base: str = ""
    parent_dir: str = ""
    relative_path: str = ""


class HostApplicationStrategy(Record, kw_only=True):
    """Has no fields yet."""


class HostApplicationSpec(Record, kw_only=True):
    """A host application with its QoS class and priority class."""

    name: str = ""
    priority: str = ""
    qos: str = ""
    cgroup_path: CgroupPath | None = None
    strategy: HostApplicationStrategy | None = None

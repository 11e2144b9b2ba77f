"""Where a kubelet keeps its cgroups, by driver, and what its directory names mean (Koordinator's rules, both ways)."""

from dataclasses import dataclass
from typing import Literal

Driver = Literal["systemd", "cgroupfs"]
KubeQoS = Literal["Guaranteed", "Burstable", "BestEffort"]

# Runtime as written in a pod's status -> prefix of its systemd scope.
SCOPE_PREFIX = {"docker": "docker-", "containerd": "cri-containerd-", "pouch": "pouch-", "cri-o": "crio-"}
_QOS_PART = {"Guaranteed": "", "Burstable": "burstable", "BestEffort": "besteffort"}
_POD_PREFIXES = ("kubepods-besteffort-pod", "kubepods-burstable-pod", "kubepods-pod")
# pouch is left out: the reference cannot parse its scopes back.
_PARSED_SCOPE_PREFIXES = ("docker-", "cri-containerd-", "crio-")


class LayoutError(ValueError):
    """A name that is not what it should be; the message holds the name and what is allowed."""


@dataclass(frozen=True, slots=True)
class ContainerRef:
    """A container as a pod's status writes it: `<runtime>://<id>`."""

    runtime: str
    id: str


def qos_dir(driver: Driver, qos: KubeQoS) -> str:
    """The directory of a QoS class below the cgroup root."""
    part = _QOS_PART[qos]
    if driver == "systemd":
        return f"kubepods.slice/kubepods-{part}.slice" if part else "kubepods.slice"
    return f"kubepods/{part}" if part else "kubepods"


def pod_dir(driver: Driver, qos: KubeQoS, pod_uid: str) -> str:
    """The directory of a pod below the cgroup root."""
    parent = qos_dir(driver, qos)
    if driver == "cgroupfs":
        return f"{parent}/pod{pod_uid}"
    part = _QOS_PART[qos]
    return f"{parent}/kubepods-{part + '-' if part else ''}pod{pod_uid.replace('-', '_')}.slice"


def parse_container_ref(text: str) -> ContainerRef:
    """Split `<runtime>://<id>`; with a second `://` the middle part counts. LayoutError for an unknown runtime."""
    runtime, *rest = text.split("://")
    if not rest or runtime not in SCOPE_PREFIX:
        raise LayoutError(
            f"container id {text!r}: expected <runtime>://<id> with a runtime of {', '.join(SCOPE_PREFIX)}"
        )
    return ContainerRef(runtime, rest[0])


def container_dir(driver: Driver, parent: str, container_id: str) -> str:
    """The directory of a container in its pod's directory. LayoutError for an unknown runtime."""
    ref = parse_container_ref(container_id)
    name = f"{SCOPE_PREFIX[ref.runtime]}{ref.id}.scope" if driver == "systemd" else ref.id
    return f"{parent}/{name}" if name else parent


def kube_qos_of_path(path: str) -> KubeQoS:
    """The Kubernetes QoS class that a pod's or container's path tells."""
    if "besteffort" in path:
        return "BestEffort"
    return "Burstable" if "burstable" in path else "Guaranteed"


def parse_pod_id(driver: Driver, basename: str) -> str:
    """The pod's UID as its directory writes it: with `_` for `-` under systemd. LayoutError for anything else."""
    if driver == "cgroupfs":
        if basename.startswith("pod"):
            return basename.removeprefix("pod")
    elif basename.endswith(".slice"):
        for prefix in _POD_PREFIXES:
            if basename.startswith(prefix):
                return basename.removeprefix(prefix).removesuffix(".slice")
    raise LayoutError(f"directory {basename!r} is not a pod of the {driver} driver")


def parse_container_id(driver: Driver, basename: str) -> str:
    """The container's id in its directory's name, without the runtime. LayoutError for anything else."""
    if driver == "cgroupfs":
        return basename
    if basename.endswith(".scope"):
        for prefix in _PARSED_SCOPE_PREFIXES:
            if basename.startswith(prefix):
                return basename.removeprefix(prefix).removesuffix(".scope")
    elif basename.startswith("crio-"):
        return basename.removeprefix("crio-")
    raise LayoutError(f"directory {basename!r} is not a container of the {driver} driver")


def normal_pod_uid(text: str) -> str:
    """The pod's UID as Kubernetes writes it: systemd's `_` turned back into `-`."""
    return text.replace("_", "-")

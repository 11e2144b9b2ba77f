"""What one cgroup is: pod, container, systemd unit, user session, or plain.

A path is read from the root to the leaf; each component may change what the ones below it belong to. So what stands
below a pod that runs inside a container (kind) belongs to that inner pod, and a cgroup that a container made below
itself belongs to that container.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from koordlet.discover.layout import KubeQoS, normal_pod_uid

Kind = Literal[
    "root", "kubepods", "qos", "pod", "container",
    "service", "scope", "slice", "socket", "mount", "swap", "session", "user", "cgroup",
]  # fmt: skip

_HASH = r"[0-9a-f]{64}"
_UID = r"[0-9a-zA-Z][0-9a-zA-Z._-]*"
_KUBE_SLICE = re.compile(rf"(?:.+-)?kubepods(?:-(?P<qos>burstable|besteffort))?(?:-pod(?P<uid>{_UID}))?\.slice")
_POD_DIR = re.compile(rf"pod(?P<uid>{_UID})")
_SCOPE = re.compile(rf"(?P<runtime>docker|cri-containerd|crio|pouch|libpod|nerdctl)-(?P<id>{_HASH})(?:\.scope)?")
_BARE_HASH = re.compile(rf"(?P<id>{_HASH})")
_SESSION = re.compile(r"session-[^.]+\.scope")
_USER = re.compile(r"user-(?P<uid>\d+)\.slice|user@(?P<uid2>\d+)\.service")
_UNIT = re.compile(r".+\.(?P<type>service|scope|slice|socket|mount|swap)")
_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})")
_RUNTIME_OF_SCOPE = {"cri-containerd": "containerd", "crio": "cri-o", "libpod": "podman", "nerdctl": "containerd"}
_RUNTIME_OF_PARENT = {"docker": "docker"}
_QOS: dict[str, KubeQoS] = {"burstable": "Burstable", "besteffort": "BestEffort"}


class PathError(ValueError):
    """A path that is not one below a hierarchy's root; the message holds it."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a cgroup is and what it belongs to."""

    kind: Kind
    name: str
    """What people call it: the pod's UID, the container's short id, the unit's name, else the last component."""
    kube_qos: KubeQoS | None = None
    """Of pods, what is below them, and the directories of the classes."""
    pod_uid: str = ""
    """With dashes; empty outside pods."""
    container_id: str = ""
    """64 hex digits without the runtime; empty outside containers."""
    runtime: str = ""
    """`containerd`, `cri-o`, `docker`, `pouch`, `podman`; empty when the path doesn't tell."""


_NOTHING = Identity("cgroup", "")


def identify(path: str) -> Identity:
    """What the cgroup at `path`, `/` and below, is. PathError when the path doesn't start at the root."""
    if not path.startswith("/"):
        raise PathError(f"cgroup path {path!r}: expected a path from the root, such as /kubepods/burstable")
    components = [component for component in path.split("/") if component]
    if not components:
        return Identity("root", "/")
    here, parent = _NOTHING, ""
    for component in components:
        here = _step(here, parent, component)
        parent = component
    is_of_a_class = here.pod_uid or here.kind == "qos"
    return here if is_of_a_class else replace(here, kube_qos=None)


def _step(above: Identity, parent: str, component: str) -> Identity:
    """What `component` is when what is above it is known."""
    kubernetes = _kubernetes(above, component)
    if kubernetes is not None:
        return kubernetes
    container = _container(above, parent, component)
    if container is not None:
        return container
    kind, name = _unit(component)
    return replace(above, kind=kind, name=name)


def _kubernetes(above: Identity, component: str) -> Identity | None:
    if match := _KUBE_SLICE.fullmatch(component):
        qos = _QOS.get(match["qos"] or "")
        if match["uid"]:
            uid = normal_pod_uid(match["uid"])
            return Identity("pod", uid, qos or "Guaranteed", uid)
        return Identity("qos", str(match["qos"]), qos) if qos else Identity("kubepods", component, "Guaranteed")
    if component == "kubepods":
        return Identity("kubepods", component, "Guaranteed")
    if above.kind == "kubepods" and component in _QOS:
        return Identity("qos", component, _QOS[component])
    if above.kind in ("kubepods", "qos") and (match := _POD_DIR.fullmatch(component)):
        uid = normal_pod_uid(match["uid"])
        return Identity("pod", uid, above.kube_qos, uid)
    return None


def _container(above: Identity, parent: str, component: str) -> Identity | None:
    match = _SCOPE.fullmatch(component) or _BARE_HASH.fullmatch(component)
    if match is None:
        return None
    scope = match.groupdict().get("runtime")
    runtime = _RUNTIME_OF_SCOPE.get(scope, scope) if scope else _RUNTIME_OF_PARENT.get(parent, "")
    return replace(above, kind="container", name=match["id"][:12], container_id=match["id"], runtime=runtime)


def _unit(component: str) -> tuple[Kind, str]:
    name = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), component)
    if _SESSION.fullmatch(component):
        return "session", name
    if _USER.fullmatch(component):
        return "user", name
    match = _UNIT.fullmatch(component)
    if match is None:
        return "cgroup", component
    kind: Kind = match["type"]  # pyright: ignore[reportAssignmentType] - the pattern allows only kinds
    return kind, name

"""What a cgroup is, from real paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koordlet.discover.identity import Identity, PathError, identify

UID = "7712555c-ce62-454a-9e18-9ff0217b8941"
UID_ = UID.replace("-", "_")
STATIC = "3ccf7d0b8e1b7d1f2ae8b1f3a7f0c0de"  # a static pod's UID is a hash of its manifest
H = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"
H2 = "a" * 64
KUBELET = "/kubelet.slice/kubelet-kubepods.slice"


def container(runtime="", qos=None, pod="", identifier=H):
    return Identity("container", identifier[:12], qos, pod, identifier, runtime)


CASES = {
    "/": Identity("root", "/"),
    # cgroupfs driver
    "/kubepods": Identity("kubepods", "kubepods"),
    "/kubepods/burstable": Identity("qos", "burstable", "Burstable"),
    "/kubepods/besteffort": Identity("qos", "besteffort", "BestEffort"),
    f"/kubepods/pod{UID}": Identity("pod", UID, "Guaranteed", UID),
    f"/kubepods/burstable/pod{UID}": Identity("pod", UID, "Burstable", UID),
    f"/kubepods/besteffort/pod{STATIC}": Identity("pod", STATIC, "BestEffort", STATIC),
    f"/kubepods/burstable/pod{UID}/{H}": container("", "Burstable", UID),
    f"/kubepods/pod{UID}/crio-{H}": container("cri-o", "Guaranteed", UID),
    # systemd driver
    "/kubepods.slice": Identity("kubepods", "kubepods.slice"),
    "/kubepods.slice/kubepods-besteffort.slice": Identity("qos", "besteffort", "BestEffort"),
    f"/kubepods.slice/kubepods-pod{UID_}.slice": Identity("pod", UID, "Guaranteed", UID),
    f"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{UID_}.slice": Identity(
        "pod", UID, "Burstable", UID
    ),
    f"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{UID_}.slice/cri-containerd-{H}.scope": container(
        "containerd", "Burstable", UID
    ),
    f"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod{UID_}.slice/crio-{H}.scope": container(
        "cri-o", "BestEffort", UID
    ),
    f"/kubepods.slice/kubepods-pod{UID_}.slice/docker-{H}.scope": container("docker", "Guaranteed", UID),
    f"/kubepods.slice/kubepods-pod{UID_}.slice/pouch-{H}.scope": container("pouch", "Guaranteed", UID),
    # a runtime's helper is no container
    f"/kubepods.slice/kubepods-pod{UID_}.slice/crio-conmon-{H}.scope": Identity(
        "scope", f"crio-conmon-{H}.scope", "Guaranteed", UID
    ),
    # the kubelet's own cgroup root: kind, and the same with the systemd driver
    f"/kubelet/kubepods/burstable/pod{UID}/{H}": container("", "Burstable", UID),
    f"{KUBELET}/kubelet-kubepods-besteffort.slice/kubelet-kubepods-besteffort-pod{UID_}.slice": (
        Identity("pod", UID, "BestEffort", UID)
    ),
    f"/docker/{H2}/kubelet/kubepods/pod{UID}/{H}": container("", "Guaranteed", UID),
    # what a container makes below itself belongs to it
    f"/kubepods/pod{UID}/{H}/init.scope": Identity("scope", "init.scope", "Guaranteed", UID, H),
    f"/kubepods/pod{UID}/{H}/system.slice/app.service": Identity("service", "app.service", "Guaranteed", UID, H),
    f"/kubepods.slice/kubepods-pod{UID_}.slice/crio-{H}.scope/container": Identity(
        "cgroup", "container", "Guaranteed", UID, H, "cri-o"
    ),
    # containers without Kubernetes
    f"/docker/{H}": container("docker"),
    f"/system.slice/docker-{H}.scope": container("docker"),
    f"/machine.slice/libpod-{H}.scope": container("podman"),
    f"/system.slice/nerdctl-{H}.scope": container("containerd"),
    f"/default/{H}": container(),
    # systemd
    "/init.scope": Identity("scope", "init.scope"),
    "/system.slice": Identity("slice", "system.slice"),
    "/system.slice/ssh.service": Identity("service", "ssh.service"),
    "/system.slice/system-getty.slice/getty@tty1.service": Identity("service", "getty@tty1.service"),
    "/system.slice/docker.socket": Identity("socket", "docker.socket"),
    r"/system.slice/dev-disk-by\x2duuid-1.swap": Identity("swap", "dev-disk-by-uuid-1.swap"),
    r"/system.slice/run-user-1000-doc\x2dfuse.mount": Identity("mount", "run-user-1000-doc-fuse.mount"),
    "/user.slice": Identity("slice", "user.slice"),
    "/user.slice/user-1000.slice": Identity("user", "user-1000.slice"),
    "/user.slice/user-1000.slice/session-3.scope": Identity("session", "session-3.scope"),
    "/user.slice/user-1000.slice/session-c1.scope": Identity("session", "session-c1.scope"),
    "/user.slice/user-1000.slice/user@1000.service": Identity("user", "user@1000.service"),
    "/user.slice/user-1000.slice/user@1000.service/app.slice/firefox.service": Identity("service", "firefox.service"),
    # plain, and what only looks like something else
    "/batch": Identity("cgroup", "batch"),
    "/batch/job-1": Identity("cgroup", "job-1"),
    f"/pod{UID}": Identity("cgroup", f"pod{UID}"),
    "/burstable": Identity("cgroup", "burstable"),
    "/kubepods/burstable/podcast": Identity("pod", "cast", "Burstable", "cast"),
    "/kubepods/tmp": Identity("cgroup", "tmp"),
    f"/build/{H[:63]}": Identity("cgroup", H[:63]),
}


@pytest.mark.parametrize(("path", "expected"), CASES.items())
def test_path_tells_what_the_cgroup_is(path, expected):
    assert identify(path) == expected


def test_inner_pod_of_a_node_that_runs_in_a_pod_is_the_one_that_counts():
    outer, inner = "11111111-1111-1111-1111-111111111111", UID
    path = f"/kubepods/burstable/pod{outer}/{H2}/kubelet/kubepods/besteffort/pod{inner}/{H}"
    assert identify(path) == container("", "BestEffort", inner)


@pytest.mark.parametrize("path", ["", "kubepods", "kubepods/pod1"])
def test_path_that_does_not_start_at_the_root_is_refused_by_name(path):
    with pytest.raises(PathError, match=repr(path)):
        identify(path)


@given(st.text())
def test_any_name_gives_an_identity_or_a_named_error(text):
    try:
        found = identify(text)
    except PathError:
        assert not text.startswith("/")
    else:
        assert found.name


@given(st.binary())
def test_any_bytes_below_the_root_give_an_identity(name):
    assert identify("/" + name.decode("utf-8", "surrogateescape")).name


@given(st.uuids(), st.sampled_from(["burstable-", "besteffort-", ""]), st.sampled_from(["", "kubelet-", "a-b-"]))
def test_systemd_pod_is_known_below_every_cgroup_root(uid, qos, prefix):
    path = f"/{prefix}kubepods.slice/{prefix}kubepods-{qos}pod{str(uid).replace('-', '_')}.slice"
    assert identify(path).pod_uid == str(uid)

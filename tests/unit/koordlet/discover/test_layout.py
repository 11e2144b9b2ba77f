"""Where a kubelet keeps its cgroups: Koordinator's rules, by table."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koordlet.discover.layout import (
    LayoutError,
    container_dir,
    kube_qos_of_path,
    normal_pod_uid,
    parse_container_id,
    parse_pod_id,
    pod_dir,
    qos_dir,
)
from tools.vectors import recorded_folder

UID = "7712555c-ce62-454a-9e18-9ff0217b8941"
SYSTEMD_BURSTABLE = "kubepods.slice/kubepods-burstable.slice"
ERROR = object()


@pytest.mark.parametrize(
    ("driver", "qos", "expected"),
    [
        ("systemd", "Guaranteed", "kubepods.slice"),
        ("systemd", "Burstable", SYSTEMD_BURSTABLE),
        ("systemd", "BestEffort", "kubepods.slice/kubepods-besteffort.slice"),
        ("cgroupfs", "Guaranteed", "kubepods"),
        ("cgroupfs", "Burstable", "kubepods/burstable"),
        ("cgroupfs", "BestEffort", "kubepods/besteffort"),
    ],
)
def test_directory_of_a_qos_class(driver, qos, expected):
    assert qos_dir(driver, qos) == expected


@pytest.mark.parametrize(
    ("driver", "qos", "uid", "expected"),
    [
        ("systemd", "Guaranteed", "abc", "kubepods.slice/kubepods-podabc.slice"),
        ("systemd", "Burstable", UID, f"{SYSTEMD_BURSTABLE}/kubepods-burstable-pod{UID.replace('-', '_')}.slice"),
        ("systemd", "Burstable", "a_b-c", f"{SYSTEMD_BURSTABLE}/kubepods-burstable-poda_b_c.slice"),
        ("cgroupfs", "Guaranteed", UID, f"kubepods/pod{UID}"),
        ("cgroupfs", "Burstable", "a_b-c", "kubepods/burstable/poda_b-c"),
    ],
)
def test_directory_of_a_pod_and_the_qos_class_it_tells(driver, qos, uid, expected):
    path = pod_dir(driver, qos, uid)
    assert path == expected
    assert kube_qos_of_path(path) == qos


@pytest.mark.parametrize(
    ("driver", "container_id", "name"),
    [
        ("systemd", "containerd://h1", "cri-containerd-h1.scope"),
        ("systemd", "docker://h1", "docker-h1.scope"),
        ("systemd", "pouch://h1", "pouch-h1.scope"),
        ("systemd", "cri-o://h1", "crio-h1.scope"),
        ("systemd", "containerd://", "cri-containerd-.scope"),
        ("systemd", "docker://a://b", "docker-a.scope"),
        ("cgroupfs", "containerd://h1", "h1"),
    ],
)
def test_directory_of_a_container(driver, container_id, name):
    assert container_dir(driver, "kubepods/podabc", container_id) == f"kubepods/podabc/{name}"


def test_empty_id_under_cgroupfs_is_the_pods_own_directory():
    assert container_dir("cgroupfs", "kubepods/podabc", "containerd://") == "kubepods/podabc"


@pytest.mark.parametrize("container_id", ["crio://h1", "runc://h1", "h1", ""])
def test_container_of_an_unknown_runtime_is_refused_by_name(container_id):
    with pytest.raises(LayoutError, match=r"expected <runtime>://<id>"):
        container_dir("systemd", "kubepods.slice", container_id)


@pytest.mark.parametrize(
    ("driver", "basename", "expected"),
    [
        ("systemd", "kubepods-besteffort-pod7712555c_ce62.slice", "7712555c_ce62"),
        ("systemd", "kubepods-podabc.slice", "abc"),
        ("systemd", "podabc-def", ERROR),
        ("systemd", "kubepods-podabc", ERROR),
        ("systemd", "kubepods-besteffort.slice", ERROR),
        ("cgroupfs", "podabc-def", "abc-def"),
        ("cgroupfs", "pod", ""),
        ("cgroupfs", "xpodabc", ERROR),
        ("cgroupfs", "kubepods-podabc.slice", ERROR),
    ],
)
def test_pod_id_of_a_directory(driver, basename, expected):
    assert result(parse_pod_id, driver, basename) == expected


@pytest.mark.parametrize(
    ("driver", "basename", "expected"),
    [
        ("systemd", "docker-abc.scope", "abc"),
        ("systemd", "cri-containerd-abc.scope", "abc"),
        ("systemd", "crio-abc.scope", "abc"),
        ("systemd", "crio-abc", "abc"),
        ("systemd", "crio-conmon-abc.scope", "conmon-abc"),
        ("systemd", "pouch-abc.scope", ERROR),
        ("systemd", "cri-containerd-abc", ERROR),
        ("systemd", "", ERROR),
        ("cgroupfs", "docker-abc.scope", "docker-abc.scope"),
        ("cgroupfs", "abc", "abc"),
    ],
)
def test_container_id_of_a_directory(driver, basename, expected):
    assert result(parse_container_id, driver, basename) == expected


def test_pod_uid_is_written_with_dashes():
    assert normal_pod_uid(UID.replace("-", "_")) == UID


@given(st.sampled_from(["systemd", "cgroupfs"]), st.text())
def test_any_directory_name_gives_an_id_or_a_named_error(driver, basename):
    for parse in (parse_pod_id, parse_container_id):
        got = result(parse, driver, basename)
        assert got is ERROR or isinstance(got, str)


@given(st.sampled_from(["systemd", "cgroupfs"]), st.sampled_from(["Guaranteed", "Burstable", "BestEffort"]), st.uuids())
def test_pod_id_comes_back_from_the_directory_it_was_put_into(driver, qos, uid):
    basename = pod_dir(driver, qos, str(uid)).rpartition("/")[2]
    assert normal_pod_uid(parse_pod_id(driver, basename)) == str(uid)


def vector_lines() -> list[dict[str, Any]]:
    files = sorted(recorded_folder().rglob("cgroup_convert.jsonl"))
    kinds = {"qos_dir", "pod_dir", "container_dir", "parse_pod_id", "parse_container_id"}
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    return [line for line in lines if line["input"]["kind"] in kinds]


def test_names_of_the_reference_mean_the_same_here():
    lines = vector_lines()
    assert lines
    assert {line["id"]: answer(line["input"]) for line in lines} == {line["id"]: line["expected"] for line in lines}


def answer(given: dict[str, Any]) -> dict[str, Any]:
    driver = given["driver"]
    try:
        match given["kind"]:
            case "qos_dir":
                return {"path": qos_dir(driver, given["kubeQoS"])}
            case "pod_dir":
                path = pod_dir(driver, given["kubeQoS"], given["podUID"])
                return {"path": path, "kubeQoSOfPath": kube_qos_of_path(path)}
            case "container_dir":
                return {"path": container_dir(driver, given["podDir"], given["containerID"])}
            case "parse_pod_id":
                return {"value": parse_pod_id(driver, given["basename"])}
            case _:
                return {"value": parse_container_id(driver, given["basename"])}
    except LayoutError:
        return {"error": True}


def result(parse, driver, basename):
    try:
        return parse(driver, basename)
    except LayoutError:
        return ERROR

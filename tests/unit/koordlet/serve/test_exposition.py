"""Prometheus text."""

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from koordlet.collect.groups import GroupIndex
from koordlet.serve.exposition import Exposition, labels
from koordlet.serve.group_families import GroupFamilies

UID = "7712555c-ce62-454a-9e18-9ff0217b8941"


def parsed(out):
    return {family.name: family for family in text_string_to_metric_families(out.text().decode())}


@given(st.text())
def test_any_label_value_comes_back(value):
    out = Exposition()
    out.single("x", "gauge", "help", labels({"a": value, "b": "c"}), 1.5)
    (sample,) = parsed(out)["x"].samples
    assert sample.labels == {"a": value.encode("utf-8", "replace").decode(), "b": "c"}
    assert sample.value == 1.5


def test_missing_value_has_no_sample():
    out = Exposition()
    out.family("x", "gauge", "help")
    out.sample("x", "", None)
    out.sample("x", "", float("nan"))
    out.single("y", "gauge", "help", "", None)
    assert parsed(out)["x"].samples == []
    assert "y" not in parsed(out)


def test_group_metrics_name_the_group_and_leave_out_what_has_no_source_and_what_is_gone(table_frame):
    frame = table_frame(
        ["/", f"/kubepods/besteffort/pod{UID}", "/old"],
        {"cpu_cores": [1.5, float("nan"), 9], "usage_ns": [3e9, 5e8, 9e9], "psi_io_full_ns": [2e9, float("nan"), 9e9]},
        gone=[3],
    )
    index = GroupIndex()
    index.apply(frame.appeared, [])
    out = Exposition()
    families = GroupFamilies("n1")
    families.write(out, frame, index)
    got = parsed(out)
    pod = {"node": "n1", "cgroup": f"/kubepods/besteffort/pod{UID}", "kind": "pod", "kube_qos": "BestEffort",
           "pod_uid": UID, "container_id": ""}  # fmt: skip
    assert [sample.value for sample in got["koordlet_ext_cgroup_cpu_cores"].samples] == [1.5]
    assert [(sample.labels["cgroup"], sample.value) for sample in got["koordlet_ext_cgroup_cpu_seconds"].samples] == [
        ("/", 3.0),
        (pod["cgroup"], 0.5),
    ]
    assert got["koordlet_ext_cgroup_cpu_seconds"].samples[1].labels == pod
    (pressure,) = got["koordlet_ext_cgroup_pressure_seconds"].samples
    assert (pressure.labels["resource"], pressure.labels["degree"], pressure.value) == ("io", "full", 2.0)

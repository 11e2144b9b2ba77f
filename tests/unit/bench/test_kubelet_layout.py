"""The cgroups of a kubelet's node: QoS classes, pods and containers, parents first."""

import re

from bench.harness.kubelet_layout import kubelet_layout


def test_lays_out_pods_and_containers_below_their_qos_class():
    layout = kubelet_layout(pods=4, containers_per_pod=2)
    pods = [name for name in layout.names if re.fullmatch(r"kubepods(/burstable|/besteffort)?/pod[0-9a-f-]{36}", name)]
    assert len(pods) == len(layout.pod_uids) == 4
    assert len(layout.containers) == 8
    assert all(re.fullmatch(r".+/pod[0-9a-f-]{36}/[0-9a-f]{64}", name) for name in layout.containers)


def test_names_parents_before_children():
    names = kubelet_layout(pods=6, containers_per_pod=1).names
    for position, name in enumerate(names):
        parent = name.rpartition("/")[0]
        assert not parent or parent in names[:position]

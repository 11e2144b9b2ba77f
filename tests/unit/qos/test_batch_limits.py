"""A pod's own limits suffice for whatever of its containers run together."""

import pytest

from koord.api.codec import from_json
from koord.api.core.pod import Pod
from koordlet.qos.batch_limits import BatchResources, pod_limits
from koordlet.states.batch import batch_resources
from koordlet.states.pods import Phase, PodFacts, peak

POLICY = {"suppressed_by_quota": False, "normalization_ratio": -1.0}


def batch(milli: int | None, phase: Phase = Phase.APP) -> BatchResources:
    return BatchResources(request_milli=milli, limit_milli=milli, limit_bytes=milli, phase=phase)


@pytest.mark.parametrize(
    ("amounts", "most"),
    [
        ([], 0),
        ([(100, Phase.APP), (50, Phase.APP)], 150),
        ([(4000, Phase.INIT), (100, Phase.APP)], 4000),
        ([(100, Phase.SIDECAR), (200, Phase.INIT), (100, Phase.APP)], 300),
        ([(200, Phase.INIT), (100, Phase.SIDECAR), (150, Phase.APP)], 250),
        ([(300, Phase.INIT), (400, Phase.INIT), (100, Phase.APP)], 400),
    ],
)
def test_the_peak_follows_the_order_in_which_containers_run(amounts: list[tuple[int, Phase]], most: int):
    assert peak(amounts) == most


def test_an_init_container_larger_than_all_others_fits_under_its_pod():
    limits = pod_limits([batch(4000, Phase.INIT), batch(100)], **POLICY)
    assert (limits.cfs_quota_us, limits.memory_limit_bytes) == (400_000, 4000)


def test_one_container_without_a_limit_makes_the_pod_unlimited():
    limits = pod_limits([batch(100), batch(None)], **POLICY)
    assert (limits.cfs_quota_us, limits.memory_limit_bytes) == (-1, -1)


def test_an_annotation_without_containers_is_as_none():
    pod = {
        "metadata": {
            "labels": {"koordinator.sh/qosClass": "BE"},
            "annotations": {"node.koordinator.sh/extended-resource-spec": '{"containers":{}}'},
        },
        "spec": {"containers": [{"name": "main"}]},
    }
    assert batch_resources(PodFacts(from_json(Pod, pod)), from_spec=False) == {}

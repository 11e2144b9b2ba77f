"""Nothing is lost and nothing told twice, whatever the network does; an hour of it with KOORD_SOAK=1."""

import os

import pytest

from tests.e2e.cluster import Cluster
from tests.e2e.soak import soak

SECONDS = 3600 if os.environ.get("KOORD_SOAK") else 60
LEAST_CONNECTIONS_PER_SECOND = 5


@pytest.mark.timeout(SECONDS + 180)
async def test_informers_behind_a_breaking_network_see_every_change_once_and_end_with_the_truth(
    cluster: Cluster, namespace: str
) -> None:
    report = await soak(cluster, namespace, SECONDS)
    print(report)
    assert report.faults == []
    assert report.connections >= SECONDS * LEAST_CONNECTIONS_PER_SECOND
    assert all(
        report.broken.get(fault, 0) > 0 for fault in ("killed", "truncated", "stalled", "delayed", "sent ERROR 410")
    )

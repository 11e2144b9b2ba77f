"""Rates of the node and of disks."""

import pytest

from koordlet.collect.disk import disk_sample, local_mounts
from koordlet.collect.node import cpu_cores, numa_cpu_cores
from koordlet.collect.rate import rate_per_s
from koordlet.procfs.diskstats import DiskCounters
from koordlet.procfs.mountinfo import Mount
from koordlet.procfs.stat import CpuTicks


def test_cpu_use_is_growth_of_busy_ticks_over_the_measured_time():
    assert cpu_cores(CpuTicks(170, {}), CpuTicks(470, {}), 1.0, 100) == pytest.approx(3.0)
    assert cpu_cores(CpuTicks(170, {}), CpuTicks(470, {}), 1.5, 100) == pytest.approx(2.0)


@pytest.mark.parametrize(("before", "after", "elapsed_s"), [(10, 9, 1.0), (10, 20, 0.0), (10, 20, -1.0)])
def test_counter_that_went_back_or_no_time_is_a_first_sample(before, after, elapsed_s):
    assert rate_per_s(before, after, elapsed_s) is None


def test_new_cpu_and_one_whose_ticks_went_back_are_left_out_of_their_numa_node():
    before = CpuTicks(0, {0: 100, 1: 100, 2: 500})
    after = CpuTicks(0, {0: 150, 1: 90, 2: 600, 3: 1000})
    assert numa_cpu_cores(before, after, 1.0, 100, {0: 0, 1: 0, 2: 1, 3: 1}) == {0: 0.5, 1: 1.0}


def counters(read, written, busy_ms):
    return DiskCounters(8, 0, "sda", 1, read, 1, written, busy_ms)


def test_disk_rates_and_busy_share():
    sample = disk_sample(counters(1000, 0, 0), counters(3000, 500, 900), 2.0)
    assert (sample.read_bytes_per_s, sample.written_bytes_per_s, sample.busy_ratio) == (1000, 250, 0.45)


def test_first_sample_of_a_disk_has_no_rates():
    sample = disk_sample(None, counters(1, 1, 1), 1.0)
    assert (sample.read_bytes_per_s, sample.written_bytes_per_s, sample.busy_ratio) == (None, None, None)


def test_busy_share_is_at_most_one():
    assert disk_sample(counters(0, 0, 0), counters(0, 0, 1100), 1.0).busy_ratio == 1.0


def test_only_first_mount_of_a_local_device_counts_and_never_a_network_one():
    root = Mount(8, 1, "/", "ext4", "/dev/sda1")
    bind = Mount(8, 1, "/bind", "ext4", "/dev/sda1")
    nfs = Mount(0, 50, "/nfs", "nfs4", "server:/x")
    assert local_mounts([root, nfs, bind], {(8, 1)}) == [root]

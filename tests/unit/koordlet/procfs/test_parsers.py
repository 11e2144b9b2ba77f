"""Files of /proc and /sys."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koordlet.procfs.cpuinfo import CpuModel, parse_cpuinfo
from koordlet.procfs.cpulist import parse_cpu_list
from koordlet.procfs.diskstats import DiskCounters, parse_diskstats
from koordlet.procfs.error import ProcError
from koordlet.procfs.meminfo import NodeMemory, NumaMemory, parse_meminfo, parse_numa_meminfo
from koordlet.procfs.mountinfo import Mount, parse_mountinfo
from koordlet.procfs.pressure import Averages, Pressure, parse_pressure
from koordlet.procfs.stat import CpuTicks, parse_stat
from koordlet.procfs.topology import LogicalCpu, SysCpu, number_cores, read_topology

STAT = b"""cpu  100 10 50 1000 20 5 5 7 0 0
cpu0 60 5 25 500 10 5 0 0 0 0
cpu2 40 5 25 500 10 0 5 7 0 0
intr 1 2 3
ctxt 4
"""


def test_busy_ticks_leave_out_idle_iowait_and_steal():
    assert parse_stat(STAT) == CpuTicks(170, {0: 95, 2: 75})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected a first line that starts with cpu"),
        (b"intr 1", "expected a first line that starts with cpu"),
        (b"cpu 1 2 3", "expected at least 8 fields after cpu"),
        (b"cpu 1 2 3 4 5 6 x 8", "found 'x', expected a whole number"),
        (b"cpu -1 2 3 4 5 6 7 8", "found '-1', expected a whole number"),
    ],
)
def test_odd_stat_is_refused_with_what_was_found(data, message):
    with pytest.raises(ProcError) as caught:
        parse_stat(data, "/host/proc/stat")
    assert message in str(caught.value)
    assert str(caught.value).startswith("/host/proc/stat: ")


PSI = b"some avg10=12.50 avg60=3.00 avg300=0.25 total=123456\nfull avg10=1.00 avg60=0.00 avg300=0.00 total=7\n"


def test_pressure_averages_are_percent():
    assert parse_pressure(PSI, "x") == Pressure(Averages(12.5, 3.0, 0.25), Averages(1.0, 0.0, 0.0))


def test_pressure_of_a_kernel_without_a_full_line_is_none():
    assert parse_pressure(PSI.splitlines()[0], "x").full is None


@pytest.mark.parametrize(
    "data", [b"", PSI.splitlines()[1], b"half avg10=0.00", b"some avg10=x avg60=0.00 avg300=0.00 total=1"]
)
def test_odd_pressure_is_refused(data):
    with pytest.raises(ProcError, match=r"^/x: "):
        parse_pressure(data, "/x")


MEMINFO = (
    b"MemTotal: 16384000 kB\nMemFree: 2000000 kB\nMemAvailable: 9000000 kB\nActive(anon): 1 kB\nHugePages_Total: 0\n"
)


def test_node_memory_used_with_and_without_page_cache():
    assert parse_meminfo(MEMINFO) == NodeMemory(16384000 * 1024, 7561216000, 14729216000)


def test_memory_use_never_goes_below_zero():
    inconsistent = b"MemTotal: 100 kB\nMemFree: 200 kB\nMemAvailable: 300 kB\n"
    assert parse_meminfo(inconsistent) == NodeMemory(102400, 0, 0)


def test_missing_meminfo_line_is_named():
    with pytest.raises(ProcError, match="no line MemAvailable"):
        parse_meminfo(b"MemTotal: 1 kB\nMemFree: 1 kB\n")


def test_numa_memory_leaves_out_file_pages_and_reclaimable_slab():
    lines = {"MemTotal": 1000, "MemFree": 100, "Active(file)": 50, "Inactive(file)": 70, "SReclaimable": 30}
    data = "".join(f"Node 1 {name}: {value} kB\n" for name, value in lines.items()).encode()
    assert parse_numa_meminfo(data, 1, "x") == NumaMemory(1024000, 750 * 1024)


DISKSTATS = b"""   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
 259       0 nvme0n1 100 1 2048 50 200 2 4096 60 0 70 110 0 0 0 0 5 6
   8       1 sda1 1 0 8 0 0 0 0 0 0 1 1
"""


def test_disk_counters_are_bytes_and_idle_devices_are_left_out():
    assert parse_diskstats(DISKSTATS) == [
        DiskCounters(259, 0, "nvme0n1", 100, 2048 * 512, 200, 4096 * 512, 70),
        DiskCounters(8, 1, "sda1", 1, 8 * 512, 0, 0, 1),
    ]


def test_mount_points_are_unescaped():
    data = rb"36 35 98:0 /mnt1 /mnt\0402 rw,noatime shared:1 - ext3 /dev/root rw" + b"\n"
    assert parse_mountinfo(data) == [Mount(98, 0, "/mnt 2", "ext3", "/dev/root")]


@pytest.mark.parametrize(
    ("text", "cpus"), [("", []), ("0", [0]), ("0-3,8", [0, 1, 2, 3, 8]), ("8,0-1\n", [0, 1, 8]), ("3,3", [3])]
)
def test_cpu_list(text, cpus):
    assert parse_cpu_list(text, "x") == cpus


@pytest.mark.parametrize("text", ["a", "1-", "-1", "3-1", "99999", "0-99999999999", "1,,x"])
def test_odd_cpu_list_is_refused(text):
    with pytest.raises(ProcError):
        parse_cpu_list(text, "x")


def test_cpu_model_of_x86_and_its_absence_on_arm():
    assert parse_cpuinfo(b"vendor_id\t: GenuineIntel\nmodel name\t: Xeon(R) 8488C\n") == CpuModel(
        "Xeon(R) 8488C", "GenuineIntel"
    )
    assert parse_cpuinfo(b"processor : 0\nCPU part : 0xd40\n") == CpuModel("", "")


def test_cores_are_numbered_over_the_node_although_sysfs_repeats_them_per_socket():
    cpus = [SysCpu(0, 0, 0, 0, 0, 0), SysCpu(1, 1, 0, 0, 1, 1), SysCpu(2, 0, 0, 0, 0, 0), SysCpu(3, 1, 0, 0, 1, 1)]
    assert number_cores(cpus) == [
        LogicalCpu(0, 0, 0, 0, 0),
        LogicalCpu(2, 0, 0, 0, 0),
        LogicalCpu(1, 1, 1, 1, 1),
        LogicalCpu(3, 1, 1, 1, 1),
    ]


def test_topology_of_a_tree_with_a_hole_and_missing_details(tmp_path):
    base = tmp_path / "devices/system/cpu"
    for cpu in (0, 2):
        folder = base / f"cpu{cpu}/topology"
        folder.mkdir(parents=True)
        (folder / "core_id").write_text(f"{cpu}\n")
        (folder / "physical_package_id").write_text("-1\n")
    (base / "online").write_text("0,2\n")
    assert read_topology(tmp_path) == [LogicalCpu(0, 0, 0, 0, 0), LogicalCpu(2, 1, 0, 0, 0)]


@pytest.mark.parametrize(
    "parse",
    [
        parse_stat,
        parse_meminfo,
        parse_diskstats,
        parse_mountinfo,
        lambda data: parse_numa_meminfo(data, 0, "x"),
        lambda data: parse_pressure(data, "x"),
    ],
)
@given(
    data=st.one_of(
        st.binary(),
        st.lists(st.sampled_from([b"cpu", b"MemTotal:", b"1", b" ", b"\n", b"-", b":", b"x"])).map(b"".join),
    )
)
def test_any_bytes_give_a_value_or_a_named_error(parse, data):
    with suppress(ProcError):
        parse(data)


@given(st.text())
def test_any_cpu_list_gives_a_value_or_a_named_error(text):
    with suppress(ProcError):
        assert all(isinstance(cpu, int) for cpu in parse_cpu_list(text, "x"))


@given(st.binary())
def test_any_cpuinfo_gives_a_value(data):
    assert isinstance(parse_cpuinfo(data), CpuModel)

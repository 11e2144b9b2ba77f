"""Every cgroup of this node in one pass: bindings of rust/snapshot."""

from typing import Literal, final

Tier = Literal["auto", "bpf-css", "bpf-iter", "files"]
Group = Literal["cpu_usage", "throttling", "psi", "memory", "memory_stat", "tasks", "oom"]

class SnapshotError(Exception):
    """No cgroup hierarchy can be read, or one that was readable no longer is; the message names the path."""

@final
class SignalSource:
    """Who supplies one group of fields of one hierarchy, and why not a better one."""

    @property
    def group(self) -> Group:
        """The group of fields."""
    @property
    def hierarchy(self) -> str:
        """Mount point of the hierarchy, such as `/sys/fs/cgroup/cpu`."""
    @property
    def tier(self) -> Literal["bpf-css", "bpf-iter", "files", "none"]:
        """What reads it; `none`: nothing can on this kernel."""
    @property
    def source(self) -> str:
        """The kernel object or file that is read, such as `cgroup.psi` or `cpu.stat`; empty when there is none."""
    @property
    def reason(self) -> str:
        """Why a better tier is not in use, or why nothing supplies the group; empty when the best tier is in use."""

@final
class Frame:
    """All cgroups at one moment, a column per field; immutable.

    A row is one path below the hierarchies' roots, `/` included; the same path in several hierarchies is one row. Row
    `i` of every column is the same cgroup. Columns are read-only, contiguous memoryviews into the frame (no copy): `Q`
    for `key`, `level` and `source`, `q` for `parent`, `d` for all others.

    A value without a source for this row, and a rate without a previous sample, is NaN, never 0. Counters are totals
    since the cgroup was created (since it was first seen where the source says so), they include descendants (v1's
    `oom_kills` do not), and never decrease for one key. A removed cgroup stays for one frame with its last totals, its
    gauges and rates NaN, and is named in `gone`.
    """

    def __len__(self) -> int:
        """Number of rows."""
    @property
    def number(self) -> int:
        """1 for the first frame of a Snapshotter, then one more each."""
    @property
    def monotonic_ns(self) -> int:
        """CLOCK_MONOTONIC at the start of the pass."""
    @property
    def wall_ms(self) -> int:
        """Unix time at the start of the pass, in milliseconds: the time stamp for series."""
    @property
    def duration_ns(self) -> int:
        """How long the pass took."""
    @property
    def appeared(self) -> list[tuple[int, str, int]]:
        """`(key, path, key of the parent)` of rows new in this frame, parents first; the parent of `/` is 0."""
    @property
    def gone(self) -> list[int]:
        """Keys whose row is here for the last time: the cgroup was removed, or its name taken by a new one."""
    def rows(self) -> list[tuple[int, str, int]]:
        """`(key, path, key of the parent)` of every row, in row order."""
    def path(self, key: int) -> str:
        """The path of a row, such as `/kubepods/burstable/pod…`. KeyError when no row of this frame has the key."""
    def index(self, key: int) -> int:
        """The row number of a key. KeyError when no row of this frame has it."""
    def sources(self, key: int) -> dict[Group, SignalSource]:
        """The source of each group of fields of one row; a group that has none is absent. KeyError as for `path`."""

    # Identity.
    @property
    def key(self) -> memoryview[int]:
        """Identity: path plus the cgroup's id in each hierarchy. Ascending, never 0, never reused by a Snapshotter."""
    @property
    def parent(self) -> memoryview[int]:
        """Row number of the parent; -1 for `/`."""
    @property
    def level(self) -> memoryview[int]:
        """Depth below the root: 0 for `/`."""
    @property
    def source(self) -> memoryview[int]:
        """Eight bits per group, in the order of `Group` from the lowest: 0 none, n `Snapshotter.sources()[n - 1]`."""

    # Counters.
    @property
    def usage_ns(self) -> memoryview[float]:
        """CPU time, in ns."""
    @property
    def user_ns(self) -> memoryview[float]:
        """CPU time in user mode, in ns."""
    @property
    def system_ns(self) -> memoryview[float]:
        """CPU time in the kernel, in ns."""
    @property
    def nr_periods(self) -> memoryview[float]:
        """Quota periods in which the cgroup was runnable."""
    @property
    def nr_throttled(self) -> memoryview[float]:
        """Quota periods in which it was throttled."""
    @property
    def throttled_ns(self) -> memoryview[float]:
        """Time throttled, in ns, summed over CPUs."""
    @property
    def nr_bursts(self) -> memoryview[float]:
        """Quota periods in which it used burst."""
    @property
    def burst_ns(self) -> memoryview[float]:
        """CPU time above the quota by burst, in ns."""
    @property
    def psi_cpu_some_ns(self) -> memoryview[float]:
        """Time in which some task waited for a CPU, in ns."""
    @property
    def psi_cpu_full_ns(self) -> memoryview[float]:
        """Time in which every non-idle task waited for a CPU, in ns."""
    @property
    def psi_memory_some_ns(self) -> memoryview[float]:
        """Time in which some task waited for memory, in ns."""
    @property
    def psi_memory_full_ns(self) -> memoryview[float]:
        """Time in which every non-idle task waited for memory, in ns."""
    @property
    def psi_io_some_ns(self) -> memoryview[float]:
        """Time in which some task waited for I/O, in ns."""
    @property
    def psi_io_full_ns(self) -> memoryview[float]:
        """Time in which every non-idle task waited for I/O, in ns."""
    @property
    def oom_kills(self) -> memoryview[float]:
        """Processes killed by the OOM killer."""
    @property
    def gone_ns(self) -> memoryview[float]:
        """CPU time, in ns since the first frame, of child cgroups that were removed, those between two frames included.

        So `usage_ns` is the children's plus this plus what the cgroup's own processes used. The use of children too
        short-lived for any frame is added only while the cgroup has no process of its own; else it shows as its own.
        """

    # Gauges.
    @property
    def quota_us(self) -> memoryview[float]:
        """CFS quota per period, in µs; -1: none."""
    @property
    def period_us(self) -> memoryview[float]:
        """CFS period, in µs."""
    @property
    def memory_bytes(self) -> memoryview[float]:
        """Memory charged, page cache included."""
    @property
    def memory_limit_bytes(self) -> memoryview[float]:
        """The cgroup's own memory limit; -1: none."""
    @property
    def inactive_anon_bytes(self) -> memoryview[float]:
        """memory.stat inactive_anon (v1 total_inactive_anon)."""
    @property
    def active_anon_bytes(self) -> memoryview[float]:
        """memory.stat active_anon (v1 total_active_anon)."""
    @property
    def inactive_file_bytes(self) -> memoryview[float]:
        """memory.stat inactive_file (v1 total_inactive_file)."""
    @property
    def active_file_bytes(self) -> memoryview[float]:
        """memory.stat active_file (v1 total_active_file)."""
    @property
    def unevictable_bytes(self) -> memoryview[float]:
        """memory.stat unevictable (v1 total_unevictable)."""
    @property
    def memory_without_page_cache_bytes(self) -> memoryview[float]:
        """inactive_anon + active_anon + unevictable, Koordinator's usage without page cache."""
    @property
    def memory_with_page_cache_bytes(self) -> memoryview[float]:
        """The former + inactive_file + active_file, Koordinator's usage with page cache."""
    @property
    def tasks(self) -> memoryview[float]:
        """Threads, those of descendants included."""

    # Rates since the previous frame, over the time between this row's two samples.
    @property
    def cpu_cores(self) -> memoryview[float]:
        """CPU use, in cores."""
    @property
    def user_cores(self) -> memoryview[float]:
        """CPU use in user mode, in cores."""
    @property
    def system_cores(self) -> memoryview[float]:
        """CPU use in the kernel, in cores."""
    @property
    def gone_cores(self) -> memoryview[float]:
        """CPU use of removed children that no row shows (see `gone_ns`), in cores."""
    @property
    def throttled_ratio(self) -> memoryview[float]:
        """Throttled periods / periods, 0 to 1; 0 when no period passed."""
    @property
    def throttled_cores(self) -> memoryview[float]:
        """Seconds throttled per second, summed over CPUs."""
    @property
    def psi_cpu_some_ratio(self) -> memoryview[float]:
        """Share of the time in which some task waited for a CPU, 0 to 1."""
    @property
    def psi_cpu_full_ratio(self) -> memoryview[float]:
        """Share of the time in which every non-idle task waited for a CPU, 0 to 1."""
    @property
    def psi_memory_some_ratio(self) -> memoryview[float]:
        """Share of the time in which some task waited for memory, 0 to 1."""
    @property
    def psi_memory_full_ratio(self) -> memoryview[float]:
        """Share of the time in which every non-idle task waited for memory, 0 to 1."""
    @property
    def psi_io_some_ratio(self) -> memoryview[float]:
        """Share of the time in which some task waited for I/O, 0 to 1."""
    @property
    def psi_io_full_ratio(self) -> memoryview[float]:
        """Share of the time in which every non-idle task waited for I/O, 0 to 1."""

@final
class Snapshotter:
    """Reads all cgroups of this node; thread-safe, one pass at a time, the GIL is released while it reads."""

    def __new__(cls, *, root: str | None = None, tier: Tier = "auto", exact_psi: bool = True) -> Snapshotter:
        """Find the hierarchies and load what this kernel supports.

        root: take only cgroup mounts at or below this directory (`/host-cgroup` in a container); all by default.
        tier: the best tier to use; what it lacks comes from the next one below. `files` loads no BPF at all.
        exact_psi: bring the PSI totals up to now (43 ns per cgroup and CPU) instead of up to 2 s late.

        SnapshotError when there is no readable hierarchy; ValueError for an unknown tier. BPF that cannot be loaded is
        no error: `sources()` says what replaces it and why.
        """
    def collect(self) -> Frame:
        """Read everything once; rates are since the previous call. SnapshotError when a hierarchy cannot be walked."""
    def sources(self) -> list[SignalSource]:
        """Who supplies each group of fields in each hierarchy, in use so far; positions never change.

        Behind them come the groups that nothing supplies (tier `none`): all of them before the first collection.
        """

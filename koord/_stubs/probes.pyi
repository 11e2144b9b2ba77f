"""What the kernel offers to BPF, and what our programs cost."""

class ProbePiece:
    """One thing that the kernel may offer; `reason` and `remedy` are None when it is available."""

    @property
    def name(self) -> str: ...
    @property
    def purpose(self) -> str: ...
    @property
    def available(self) -> bool: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def remedy(self) -> str | None: ...

class ProbeCapabilities:
    """What this kernel and process can do with BPF; `lockdown` is None when the kernel isn't locked down."""

    @property
    def kernel(self) -> str: ...
    @property
    def btf(self) -> bool: ...
    @property
    def lockdown(self) -> str | None: ...
    @property
    def pieces(self) -> list[ProbePiece]: ...

class ProgramCost:
    """Run time of one loaded program within a window; an iterator runs once per cgroup."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def run_time_ns(self) -> int: ...
    @property
    def runs(self) -> int: ...

def capabilities() -> ProbeCapabilities:
    """Load every program once, by itself, and unload it again: what this kernel takes, and why not the rest (0.1 s)."""

def program_costs(seconds: float) -> list[ProgramCost]:
    """Count the run time of every loaded program of ours, of any process, for `seconds`.

    The kernel counts only while this call holds its statistics descriptor. Raises OSError when it gives none (it needs
    CAP_SYS_ADMIN), ValueError for a negative or infinite duration.
    """

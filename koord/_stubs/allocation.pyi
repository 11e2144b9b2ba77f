"""CPU allocation on one node."""

from typing import final

@final
class NodeCpus:
    """CPUs of one node with who holds them. CPU sets are Linux lists such as `0-3,8`; a wrong one is a ValueError."""

    def __new__(
        cls,
        details: list[tuple[int, int, int, int]],
        *,
        reserved: str = "",
        max_ref_count: int = 1,
        pods: list[tuple[str, str]] = ...,
        holders: list[tuple[int, int, str]] = ...,
    ) -> NodeCpus:
        """Take the CPUs as (id, core, socket, NUMA node) and their holders.

        Holders are given as `pods` (cpuset, exclusive policy) in order of arrival, or outright as `holders`
        (cpu, pods that hold it, exclusive policy of the last one). `max_ref_count` pods may share a CPU.
        """

    def available(self, given_back: list[str] = ...) -> str:
        """CPUs left when every CPU of each given-back set has lost one reference; reserved ones never are."""

    def pick(
        self,
        needed: int,
        *,
        bind: str,
        bind_required: bool = False,
        exclusive: str = "",
        strategy: str = "",
        preferred: str = "",
        given_back: list[str] = ...,
        available: str | None = None,
    ) -> str:
        """CPUs for one pod, from `available` when it is given; ValueError says why there are none.

        `bind` is FullPCPUs, SpreadByPCPUs or another policy (no wish); `strategy` MostAllocated packs, any other
        prefers the emptier place; `preferred` CPUs are used up first.
        """

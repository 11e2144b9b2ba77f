"""CPU lists as the kernel's files hold them."""

from koord.api.cpulist import CPUListError, parse_cpus
from koordlet.procfs.error import ProcError


def parse_cpu_list(text: str, path: str) -> list[int]:
    """The numbers of a list in ascending order; an empty list is allowed. ProcError for anything else."""
    try:
        return sorted(parse_cpus(text.strip()))
    except CPUListError as error:
        raise ProcError(path, text, "a list such as 0-3,8") from error

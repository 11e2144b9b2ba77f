"""Linux CPU lists such as `0-3,8`."""

from koordlet.procfs.error import ProcError

MAX_CPU = 8191  # the kernel's largest NR_CPUS


def parse_cpu_list(text: str, path: str) -> list[int]:
    """The numbers of a list in ascending order; an empty list is allowed. ProcError for anything else."""
    numbers: set[int] = set()
    for part in filter(None, text.strip().split(",")):
        first, dash, last = part.partition("-")
        if not _number(first) or (dash and not _number(last)) or int(last or first) < int(first):
            raise ProcError(path, text, "a list such as 0-3,8 with numbers up to 8191")
        numbers.update(range(int(first), int(last or first) + 1))
    return sorted(numbers)


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4 and int(text) <= MAX_CPU

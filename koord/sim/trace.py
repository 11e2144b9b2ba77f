"""The CSV trace: nodes, pods, and the order in which pods arrive."""

import csv
import random
from collections.abc import Sequence
from pathlib import Path

import msgspec

WHOLE_GPU_MILLI = 1000


class TraceError(ValueError):
    """A trace that cannot be used; the text names file, line, column, found and allowed values."""


class TraceNode(msgspec.Struct, frozen=True):
    """One node."""

    name: str
    cpu_milli: int
    memory_mib: int
    gpus: int
    model: str


class TracePod(msgspec.Struct, frozen=True):
    """One pod: whole GPUs, or a part of one when `gpus` is 1; `models` are the only ones allowed, empty for any."""

    name: str
    cpu_milli: int
    memory_mib: int
    gpus: int
    gpu_milli: int
    models: tuple[str, ...]

    @property
    def demand_milli(self) -> int:
        """Thousandths of GPUs asked for."""
        return self.gpus * self.gpu_milli


def read_nodes(path: Path) -> list[TraceNode]:
    """Nodes in file order. Raises TraceError."""
    return [
        TraceNode(
            text(path, line, row, "sn"),
            number(path, line, row, "cpu_milli"),
            number(path, line, row, "memory_mib"),
            number(path, line, row, "gpu"),
            row.get("model") or "",
        )
        for line, row in rows(path)
    ]


def read_pods(path: Path) -> list[TracePod]:
    """Pods in file order. Raises TraceError."""
    pods: list[TracePod] = []
    for line, row in rows(path):
        gpus, gpu_milli = number(path, line, row, "num_gpu"), number(path, line, row, "gpu_milli")
        if gpus and not 0 < gpu_milli <= WHOLE_GPU_MILLI:
            raise TraceError(f"{path}:{line}: gpu_milli: found {gpu_milli}, allowed: 1 to {WHOLE_GPU_MILLI}")
        if gpus > 1 and gpu_milli != WHOLE_GPU_MILLI:
            raise TraceError(f"{path}:{line}: gpu_milli: found {gpu_milli} for {gpus} GPUs, allowed: {WHOLE_GPU_MILLI}")
        models = tuple(model for model in (row.get("gpu_spec") or "").split("|") if model)
        cpu_milli, memory_mib = number(path, line, row, "cpu_milli"), number(path, line, row, "memory_mib")
        pods.append(TracePod(text(path, line, row, "name"), cpu_milli, memory_mib, gpus, gpu_milli, models))
    return pods


def arrivals(pods: Sequence[TracePod], capacity_milli: int, inflate: float, seed: int) -> list[TracePod]:
    """The pods in their order of arrival, cloned or dropped until they ask for `inflate` times the GPU capacity.

    The order is fixed for a seed, so that different programs can be compared on the same arrivals. Pods that ask for no
    GPU at all arrive once each.
    """
    rng = random.Random(seed)  # noqa: S311 - a replayable order, no secret
    order = list(pods)
    demand = sum(pod.demand_milli for pod in order)
    wanted = inflate * capacity_milli
    if demand:
        while demand < wanted:
            order.append(rng.choice(pods))
            demand += order[-1].demand_milli
        while demand > wanted and len(order) > 1 and len(order) <= len(pods):
            demand -= order.pop(rng.randrange(len(order))).demand_milli
    rng.shuffle(order)
    return order


def rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """The file's rows with their line numbers."""
    try:
        with path.open(newline="") as file:
            return list(enumerate(csv.DictReader(file), start=2))
    except OSError as error:
        raise TraceError(f"{path}: {error.strerror}") from error


def text(path: Path, line: int, row: dict[str, str], column: str) -> str:
    """A column that must be there."""
    value = row.get(column)
    if not value:
        raise TraceError(f"{path}:{line}: {column}: found nothing, allowed: a name")
    return value


def number(path: Path, line: int, row: dict[str, str], column: str) -> int:
    """A column with a whole number of 0 or more; empty counts as 0."""
    value = row.get(column)
    if value is None:
        raise TraceError(f"{path}:{line}: {column}: the column is missing")
    try:
        parsed = int(value or 0)
    except ValueError:
        parsed = -1
    if parsed < 0:
        raise TraceError(f"{path}:{line}: {column}: found {value!r}, allowed: a whole number of 0 or more")
    return parsed

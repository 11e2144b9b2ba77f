"""Made-up traces of the CSV format: mixed GPU nodes, and a workload of shares, whole GPUs and CPU-only pods."""

import csv
import random
from pathlib import Path

# (GPUs, cpu_milli, memory_mib, model, weight)
NODE_TYPES = (
    (8, 96_000, 786_432, "G8", 5),
    (4, 64_000, 393_216, "G4", 2),
    (2, 96_000, 393_216, "T2", 3),
)
# (GPUs, gpu_milli, cpu_milli of the smallest, weight)
POD_TYPES = (
    (0, 0, 4_000, 15),
    (1, 250, 2_000, 12),
    (1, 500, 4_000, 14),
    (1, 750, 6_000, 5),
    (1, 1_000, 8_000, 40),
    (2, 1_000, 16_000, 6),
    (4, 1_000, 32_000, 4),
    (8, 1_000, 64_000, 4),
)
MEMORY_MIB_PER_CPU = 4_096
PICKY_SHARE = 0.15
"""Share of GPU pods that accept one model only."""


def generate(folder: Path, *, nodes: int, pods: int, seed: int) -> tuple[Path, Path]:
    """Write `nodes.csv` and `pods.csv` into the folder and return their paths; the same seed gives the same files."""
    rng = random.Random(seed)  # noqa: S311 - replayable data, no secret
    folder.mkdir(parents=True, exist_ok=True)
    node_path, pod_path = folder / "nodes.csv", folder / "pods.csv"
    with node_path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["sn", "cpu_milli", "memory_mib", "gpu", "model"])
        for at in range(nodes):
            gpus, cpu, memory, model, _ = rng.choices(NODE_TYPES, [each[-1] for each in NODE_TYPES])[0]
            writer.writerow([f"node-{at:04}", cpu, memory, gpus, model])
    with pod_path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec"])
        for at in range(pods):
            gpus, milli, cpu, _ = rng.choices(POD_TYPES, [each[-1] for each in POD_TYPES])[0]
            cpu = int(cpu * rng.choice((1, 1, 1.25, 1.5)))
            models = [each[3] for each in NODE_TYPES if each[0] >= gpus]
            spec = rng.choice(models) if gpus and rng.random() < PICKY_SHARE else ""
            writer.writerow([f"pod-{at:04}", cpu, cpu * MEMORY_MIB_PER_CPU // 1000, gpus, milli, spec])
    return node_path, pod_path

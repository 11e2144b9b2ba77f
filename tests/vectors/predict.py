"""Decaying histograms and what can be reclaimed by them."""

import math
from datetime import datetime
from typing import Any

from koord.api.codec import from_json
from koord.api.core.node import Node
from koord.api.core.pod import Pod
from koordlet.predict.model import Amount, Model
from koordlet.predict.reclaimable import ClassPredictor, PodPredictor, allocatable_of, combined, lends
from koordlet.states.pods import PodFacts

HOUR_MS = 3_600_000
NODE_ITEM = "nodeItem:"


def check(line: dict[str, Any]) -> str | None:
    given, expected = line["input"], line["expected"]
    got = histogram(given) if given["kind"] == "histogram" else reclaimable(given)
    for name, wanted in expected.items():
        if not same(got[name], wanted):
            return f"{name}: expected {wanted}, got {got[name]}"
    return None


def model_of(samples: list[dict[str, Any]], cpu_half_life_ms: int, memory_half_life_ms: int) -> Model:
    model = Model(cpu_half_life_ms, memory_half_life_ms)
    for sample in samples:
        ts_ms = int(datetime.fromisoformat(sample["time"]).timestamp() * 1000)
        model.add(sample.get("cpuCores", 0.0), sample.get("memoryBytes", 0), ts_ms)
    return model


def histogram(given: dict[str, Any]) -> dict[str, Any]:
    model = model_of(given["samples"], given["cpuHalfLifeSeconds"] * 1000, given["memoryHalfLifeSeconds"] * 1000)
    fractions = {"p60": 0.6, "p90": 0.9, "p95": 0.95, "p98": 0.98, "max": 1.0}
    prediction = {name: shown(model.percentile(fraction, fraction)) for name, fraction in fractions.items()}
    stored = {"cpu": model.cpu.checkpoint(), "memory": model.memory.checkpoint()}
    return {"prediction": prediction, "checkpoint": {name: checkpoint(each) for name, each in stored.items()}}


def checkpoint(stored: tuple[int, dict[int, int], float]) -> dict[str, Any]:
    reference_ms, weights, total = stored
    return {
        "referenceTimestamp": reference_ms,
        "bucketWeights": {str(bucket): weight for bucket, weight in weights.items()},
        "totalWeight": total,
    }


def reclaimable(given: dict[str, Any]) -> dict[str, Any]:
    models = {
        key.removeprefix(NODE_ITEM): model_of(samples, 12 * HOUR_MS, 24 * HOUR_MS)
        for key, samples in given["models"].items()
    }
    margin = (100 + given["safetyMarginPercent"]) / 100
    by_pod, by_class = PodPredictor(models, margin, given["coldStartSeconds"]), ClassPredictor(models, margin)
    failed: list[str] = []
    for document in given["pods"]:
        facts = PodFacts(from_json(Pod, document))
        if not lends(facts):
            continue
        if by_pod.add(facts, given["podAgeSeconds"][facts.uid]):
            by_class.add(facts)
        else:
            failed.append(facts.uid)
    results: dict[str, Any] = {"addPodErrors": failed}
    allocatable = allocatable_of(from_json(Node, given["node"])) if given["node"] else None
    pods, classes = by_pod.predict(allocatable), by_class.predict(allocatable)
    both = combined(pods, classes) if classes else None
    for name, prediction in {"pod": pods, "priority": classes, "": both}.items():
        for part in ("Reclaimable", "Peak"):
            key = name + part if name else part.lower()
            results[key] = shown(getattr(prediction, part.lower(), None))
    return results


def shown(amount: Amount | None) -> dict[str, Any]:
    if amount is None:
        return {"error": True}
    return {"cpuMilli": amount.cpu_milli, "memoryBytes": amount.memory_bytes}


def same(got: Any, wanted: Any) -> bool:
    """Equal but for three units of a truncated number, and a relative 1e-9 of a total."""
    if isinstance(wanted, dict):
        return (
            isinstance(got, dict) and got.keys() == wanted.keys() and all(same(got[key], wanted[key]) for key in wanted)
        )
    if isinstance(wanted, str) and isinstance(got, int):
        return int(datetime.fromisoformat(wanted).timestamp() * 1000) == got
    if isinstance(wanted, float):
        return math.isclose(got, wanted, rel_tol=1e-9)
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        return abs(got - wanted) <= 3
    return got == wanted

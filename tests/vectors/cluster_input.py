"""A vector's cluster as calls on the placement engine."""

from typing import Any

import orjson

from koord._core import PlacementEngine

KINDS = {
    "nodes": "Node",
    "namespaces": "Namespace",
    "services": "Service",
    "replicationControllers": "ReplicationController",
    "replicaSets": "ReplicaSet",
    "statefulSets": "StatefulSet",
    "persistentVolumes": "PersistentVolume",
    "persistentVolumeClaims": "PersistentVolumeClaim",
    "storageClasses": "StorageClass",
    "csiNodes": "CSINode",
    "csiDrivers": "CSIDriver",
    "csiStorageCapacities": "CSIStorageCapacity",
    "volumeAttachments": "VolumeAttachment",
    "podDisruptionBudgets": "PodDisruptionBudget",
    "pods": "Pod",
    "nominatedPods": "Pod",
}


def with_uid(pod: dict[str, Any]) -> dict[str, Any]:
    """The pod with the uid that the vectors' convention gives it."""
    metadata = pod["metadata"]
    return pod | {"metadata": metadata | {"uid": f"{metadata.get('namespace', '')}/{metadata['name']}"}}


def with_own_name(pod: dict[str, Any], seen: set[str]) -> dict[str, Any]:
    """The pod under a name no other has: a few recorded clusters use one twice, which no API server allows."""
    pod = with_uid(pod)
    name = pod["metadata"]["uid"]
    if name in seen:
        pod["metadata"] |= {"name": f"{pod['metadata']['name']}-{len(seen)}", "uid": f"{name}-{len(seen)}"}
    seen.add(pod["metadata"]["uid"])
    return pod


def engine_of(cluster: dict[str, Any]) -> PlacementEngine:
    """An engine that holds the cluster, configured as the vector says; DynamicResources is off."""
    weights = [{"name": name, "weight": weight} for name, weight in cluster.get("weights", {}).items()]
    profile = {
        "plugins": {"multiPoint": {"enabled": weights, "disabled": [{"name": "DynamicResources"}]}},
        "pluginConfig": [{"name": name, "args": args} for name, args in cluster.get("pluginConfig", {}).items()],
    }
    engine = PlacementEngine(orjson.dumps({"profiles": [profile]}), gates=cluster.get("featureGates", {}))
    seen: set[str] = set()
    for field, kind in KINDS.items():
        for item in cluster.get(field, []):
            engine.upsert(kind, orjson.dumps(with_own_name(item, seen) if kind == "Pod" else item))
    return engine


def difference(expected: dict[str, Any], got: dict[str, Any]) -> str | None:
    """The first fields that differ, with both values; None when all are equal."""
    wrong = [name for name in sorted(expected.keys() | got.keys()) if expected.get(name) != got.get(name)]
    return "; ".join(f"{name}: expected {expected.get(name)}, got {got.get(name)}" for name in wrong[:3]) or None

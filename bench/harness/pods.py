"""Pods and nodes as a real server sends them: 4 to 6 kB each, from some hundred templates, no two alike."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

LETTERS = "bcdfghjklmnpqrstvwxz2456789"
SYSTEM_TOLERATIONS = [
    {"key": f"node.kubernetes.io/{key}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for key in ("not-ready", "unreachable")
]
QOS = {"LS": "koord-prod", "LSR": "koord-prod", "BE": "koord-batch"}


@dataclass(frozen=True)
class Template:
    """A workload's pod with marks where pods differ."""

    text: bytes

    def render(self, number: int, nodes: int) -> bytes:
        """The pod with this number, bound to one of the nodes."""
        unique = random.Random(number)
        suffix = "".join(unique.choices(LETTERS, k=5))
        identity = f"{unique.getrandbits(32):08x}-{number % 65536:04x}-4{unique.getrandbits(12):03x}-8000-{number:012x}"
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        return (
            self.text.replace(b"@suffix@", suffix.encode() + b"%d" % number)
            .replace(b"@uid@", identity.encode())
            .replace(b"@version@", b"%d" % (1_000_000 + number))
            .replace(b"@node@", b"node-%d" % (number % nodes))
            .replace(b"@address@", address.encode())
            .replace(b"@container@", b"%064x" % unique.getrandbits(256))
        )


def templates(count: int, seed: int = 42) -> list[Template]:
    """The pods of so many workloads."""
    chooser = random.Random(seed)
    return [Template(orjson.dumps(_pod(number, chooser))) for number in range(count)]


def node(number: int) -> bytes:
    """A node with conditions, images and extended resources."""
    name = f"node-{number}"
    amounts = {"cpu": "64", "memory": "263737308Ki", "pods": "256", "ephemeral-storage": "1055762868Ki"}
    amounts |= {"kubernetes.io/batch-cpu": str(20_000 + number), "kubernetes.io/batch-memory": str(2**36 + number)}
    names = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{number % 3}"}
    metadata = {"name": name, "uid": f"node-uid-{number}", "resourceVersion": str(500_000 + number), "labels": names}
    conditions = [
        _condition(kind, status) | {"lastHeartbeatTime": "2026-11-30T11:00:00Z", "message": f"kubelet says {kind}"}
        for kind, status in (("MemoryPressure", "False"), ("DiskPressure", "False"), ("Ready", "True"))
    ]
    images = [
        {"names": [f"registry.example/team/app-{one}:v{number % 7}"], "sizeBytes": 10**8 + one} for one in range(20)
    ]
    status = {"capacity": amounts, "allocatable": amounts, "conditions": conditions, "images": images}
    spec = {"podCIDR": f"10.{number >> 8}.{number & 255}.0/24", "providerID": f"example:///{name}"}
    return orjson.dumps({"metadata": metadata, "spec": spec, "status": status})


def _pod(number: int, chooser: random.Random) -> dict[str, Any]:
    workload, qos = f"workload-{number}", chooser.choice(list(QOS))
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": f"{workload}-6d4cf56db6", "uid": f"owner-{number}"}
    labels = {
        "app.kubernetes.io/name": workload,
        "app.kubernetes.io/part-of": f"product-{number % 20}",
        "pod-template-hash": "6d4cf56db6",
        "koordinator.sh/qosClass": qos,
        "koordinator.sh/priority": str(5000 + number),
    }
    annotations = {
        "prometheus.io/scrape": "true",
        "prometheus.io/port": str(8000 + number),
        "koordinator.sh/resource-status": orjson.dumps({"cpuset": f"{number % 32}-{number % 32 + 3}"}).decode(),
    }
    metadata = {
        "name": f"{workload}-6d4cf56db6-@suffix@",
        "generateName": f"{workload}-6d4cf56db6-",
        "namespace": f"team-{number % 50}",
        "uid": "@uid@",
        "resourceVersion": "@version@",
        "creationTimestamp": "2026-11-30T10:00:00Z",
        "labels": labels,
        "annotations": annotations,
        "ownerReferences": [owner | {"controller": True, "blockOwnerDeletion": True}],
        "managedFields": _managed_fields(labels, annotations),
    }
    containers = [_container(name, number, chooser) for name in ("main", "sidecar")]
    return {"metadata": metadata, "spec": _spec(containers, qos, number, chooser), "status": _status(containers)}


def _spec(containers: list[dict[str, Any]], qos: str, number: int, chooser: random.Random) -> dict[str, Any]:
    claim = {"persistentVolumeClaim": {"claimName": f"data-{number}"}}
    token = {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}}
    ca = {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}}
    return {
        "volumes": [
            {"name": "config", "configMap": {"name": f"config-{number}", "defaultMode": 420}},
            {"name": "data"} | (claim if chooser.random() < 0.3 else {"emptyDir": {}}),
            {"name": "kube-api-access", "projected": {"sources": [token, ca], "defaultMode": 420}},
        ],
        "containers": containers,
        "restartPolicy": "Always",
        "terminationGracePeriodSeconds": 30,
        "dnsPolicy": "ClusterFirst",
        "nodeSelector": {"pool": f"pool-{number % 5}"},
        "serviceAccountName": f"account-{number % 50}",
        "nodeName": "@node@",
        "securityContext": {"runAsNonRoot": True},
        "schedulerName": "koord-scheduler",
        "tolerations": [*SYSTEM_TOLERATIONS, {"key": f"team-{number % 50}", "operator": "Exists"}],
        "priorityClassName": QOS[qos],
        "priority": 9000 if qos != "BE" else 5000,
        "preemptionPolicy": "PreemptLowerPriority",
    }


def _container(name: str, number: int, chooser: random.Random) -> dict[str, Any]:
    cpu, memory = chooser.choice(("100m", "500m", "2", "4")), chooser.choice(("128Mi", "1Gi", "8Gi"))
    return {
        "name": name,
        "image": f"registry.example/team-{number % 50}/{name}-{number}:v1.{number % 30}",
        "args": [f"--config=/etc/{name}/config.yaml", f"--level={number % 5}"],
        "ports": [{"name": "http", "containerPort": 8080 + number % 100, "protocol": "TCP"}],
        "env": [
            {"name": f"SETTING_{one}", "value": f"value-{one}-of-{name}-{number}"}
            for one in range(chooser.randint(3, 9))
        ],
        "resources": {"limits": {"cpu": cpu, "memory": memory}, "requests": {"cpu": cpu, "memory": memory}},
        "volumeMounts": [
            {"name": "config", "mountPath": f"/etc/{name}", "readOnly": True},
            {"name": "kube-api-access", "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "readOnly": True},
        ],
        "livenessProbe": {"httpGet": {"path": "/healthz", "port": "http", "scheme": "HTTP"}, "periodSeconds": 10},
        "imagePullPolicy": "IfNotPresent",
    }


def _status(containers: list[dict[str, Any]]) -> dict[str, Any]:
    statuses = [
        {
            "name": container["name"],
            "state": {"running": {"startedAt": "2026-11-30T10:00:07Z"}},
            "lastState": {},
            "ready": True,
            "restartCount": 0,
            "image": container["image"],
            "imageID": f"{container['image']}@sha256:@container@",
            "containerID": "containerd://@container@",
            "started": True,
        }
        for container in containers
    ]
    kinds = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
    return {
        "phase": "Running",
        "conditions": [_condition(kind, "True") for kind in kinds],
        "hostIP": "@address@",
        "podIP": "@address@",
        "podIPs": [{"ip": "@address@"}],
        "startTime": "2026-11-30T10:00:00Z",
        "containerStatuses": statuses,
        "qosClass": "Guaranteed",
    }


def _condition(kind: str, status: str) -> dict[str, Any]:
    return {"type": kind, "status": status, "lastProbeTime": None, "lastTransitionTime": "2026-11-30T10:00:09Z"}


def _managed_fields(labels: Mapping[str, str], annotations: Mapping[str, str]) -> list[dict[str, Any]]:
    named: dict[str, Any] = {
        "f:labels": {".": {}} | {f"f:{key}": {} for key in labels},
        "f:annotations": {".": {}} | {f"f:{key}": {} for key in annotations},
    }
    common = {"apiVersion": "v1", "time": "2026-11-30T10:00:00Z", "fieldsType": "FieldsV1", "operation": "Update"}
    fields: dict[str, Any] = {
        "f:status": {"f:conditions": {'k:{"type":"Ready"}': {"f:status": {}}}, "f:phase": {}, "f:podIP": {}}
    }
    return [
        common | {"manager": "kube-controller-manager", "fieldsV1": {"f:metadata": named}},
        common | {"manager": "kubelet", "fieldsV1": fields, "subresource": "status"},
    ]

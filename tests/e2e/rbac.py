"""Whether a component's rules are right: it was refused nothing, and asked for everything that it may.

The rules are deploy/rbac/COMPONENT.yaml, what it asked for is in the cluster's audit log.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import yaml

from koord.kube.credentials import Kubeconfig
from tests.e2e.cluster import COMPONENT_NAMESPACE, Cluster

RULES = Path(__file__).parents[2] / "deploy" / "rbac"
TOKEN_LIFETIME = "4h"


@dataclass(frozen=True)
class Permission:
    """One verb on one resource, perhaps on one name only; `resource` includes the subresource (`pods/status`)."""

    verb: str
    group: str
    resource: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.verb} {self.resource}.{self.group or 'core'}" + (f" {self.name}" if self.name else "")


@dataclass(frozen=True)
class Component:
    """A component's service account in a cluster."""

    name: str
    cluster: Cluster
    kubeconfig: Path

    @property
    def credentials(self) -> Kubeconfig:
        """What the component connects with."""
        return Kubeconfig(str(self.kubeconfig))

    @property
    def user(self) -> str:
        """Its user name in the audit log."""
        return f"system:serviceaccount:{COMPONENT_NAMESPACE}:{self.name}"

    def refused(self) -> list[str]:
        """Its requests that were answered 403, as `verb path`."""
        found = {f"{event['verb']} {event['requestURI']}" for event in self._events() if _code(event) == 403}
        return sorted(found)

    def unused(self) -> list[Permission]:
        """Its permissions that no request of it needed."""
        asked = [_permission(event) for event in self._events() if _code(event) != 403]
        return sorted(
            (allowed for allowed in permissions(self.name) if not any(_covers(allowed, one) for one in asked)), key=str
        )

    def _events(self) -> Iterator[dict[str, Any]]:
        for line in self.cluster.audit_log.read_bytes().splitlines():
            event = orjson.loads(line)
            if event["user"]["username"] == self.user:
                yield event


def install(cluster: Cluster, name: str, server: str | None = None) -> Component:
    """Apply a component's rules and get a token of its service account; its kubeconfig may point to a proxy."""
    if f"namespace/{COMPONENT_NAMESPACE}" not in cluster.kubectl("get", "namespaces", "-o", "name"):
        cluster.kubectl("create", "namespace", COMPONENT_NAMESPACE)
    cluster.kubectl("apply", "-f", str(RULES / f"{name}.yaml"))
    token = cluster.kubectl("-n", COMPONENT_NAMESPACE, "create", "token", name, f"--duration={TOKEN_LIFETIME}").strip()
    return Component(name, cluster, cluster.client_kubeconfig(f"component-{name}", {"token": token}, server))


def permissions(name: str) -> set[Permission]:
    """All that the rules of a component allow, taken apart."""
    documents = yaml.safe_load_all((RULES / f"{name}.yaml").read_text())
    rules = (rule for document in documents if document for rule in document.get("rules", ()))
    return {permission for rule in rules for permission in _of_rule(rule)}


def _of_rule(rule: dict[str, Any]) -> Iterable[Permission]:
    for verb in rule["verbs"]:
        for path in rule.get("nonResourceURLs", ()):
            yield Permission(verb, "", path)
        for group in rule.get("apiGroups", ()):
            for resource in rule.get("resources", ()):
                for name in rule.get("resourceNames", ("",)):
                    yield Permission(verb, group, resource, name)


def _permission(event: dict[str, Any]) -> Permission:
    reference = event.get("objectRef")
    if reference is None:
        return Permission(event["verb"], "", event["requestURI"].partition("?")[0])
    resource, sub = reference["resource"], reference.get("subresource")
    name = reference.get("name", "")
    return Permission(event["verb"], reference.get("apiGroup", ""), f"{resource}/{sub}" if sub else resource, name)


def _covers(allowed: Permission, asked: Permission) -> bool:
    same = (allowed.verb, allowed.group, allowed.resource) == (asked.verb, asked.group, asked.resource)
    return same and allowed.name in ("", asked.name)


def _code(event: dict[str, Any]) -> int:
    return int(event.get("responseStatus", {}).get("code", 0))

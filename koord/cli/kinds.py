"""Kinds by the names that people type."""

from collections.abc import Iterator
from typing import Final

from koord.api.customresource import CustomResource
from koord.api.kinds import BUILT_IN, CUSTOM
from koord.api.meta import Object

_SHORT_NAMES: Final = {
    "configmaps": "cm",
    "daemonsets": "ds",
    "deployments": "deploy",
    "events": "ev",
    "namespaces": "ns",
    "nodes": "no",
    "persistentvolumeclaims": "pvc",
    "persistentvolumes": "pv",
    "poddisruptionbudgets": "pdb",
    "pods": "po",
    "priorityclasses": "pc",
    "replicasets": "rs",
    "statefulsets": "sts",
    "storageclasses": "sc",
}


class UnknownKindError(ValueError):
    """A name that no kind has; the message lists those that exist."""


def kinds_named(names: str) -> list[type[Object]]:
    """The kinds of a comma-separated list; `all` stands for Koord's own. UnknownKindError names a wrong one."""
    chosen: dict[type[Object], None] = {}
    for name in names.split(","):
        chosen.update(dict.fromkeys(_stored() if name == "all" else [_kind_named(name)]))
    return list(chosen)


def _kind_named(name: str) -> type[Object]:
    wanted = name.lower().partition(".")[0]
    for kind in (*_stored(), *BUILT_IN):
        if wanted in _names(kind):
            return kind
    known = ", ".join(sorted(kind.RESOURCE.plural for kind in (*_stored(), *BUILT_IN)))
    raise UnknownKindError(f"kind: found {name!r}, allowed all, {known}")


def _stored() -> list[type[Object]]:
    """Koord's kinds, each in the version that servers store."""
    return [kind for kind in CUSTOM if isinstance(kind.RESOURCE, CustomResource) and kind.RESOURCE.stored]


def _names(kind: type[Object]) -> Iterator[str]:
    resource = kind.RESOURCE
    yield resource.plural
    yield resource.kind.lower()
    if isinstance(resource, CustomResource):
        yield from resource.short_names
    elif resource.plural in _SHORT_NAMES:
        yield _SHORT_NAMES[resource.plural]

"""CustomResourceDefinition manifests of our kinds."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from koord.api.customresource import CustomResource
from koord.api.meta import Object
from koord.api.schema import openapi_schema


def manifests(kinds: Iterable[type[Object]]) -> list[dict[str, Any]]:
    """One CRD per kind, with all versions of it, in the order of their names."""
    ordered = sorted(kinds, key=lambda kind: (_resource(kind).crd_name, _resource(kind).version))
    return [_manifest(list(versions)) for _, versions in groupby(ordered, key=lambda kind: _resource(kind).crd_name)]


def file_name(manifest: dict[str, Any]) -> str:
    """The usual name of a CRD's file: group and plural."""
    return f"{manifest['spec']['group']}_{manifest['spec']['names']['plural']}.yaml"


def _resource(kind: type[Object]) -> CustomResource:
    resource = kind.RESOURCE
    if not isinstance(resource, CustomResource):
        raise TypeError(f"{kind.__name__} is a kind of Kubernetes itself")
    return resource


def _manifest(versions: list[type[Object]]) -> dict[str, Any]:
    resource = _resource(versions[-1])
    names: dict[str, Any] = {
        "kind": resource.kind,
        "listKind": f"{resource.kind}List",
        "plural": resource.plural,
        "singular": resource.kind.lower(),
    }
    if resource.short_names:
        names["shortNames"] = list(resource.short_names)
    metadata: dict[str, Any] = {"name": resource.crd_name}
    if resource.annotations:
        metadata["annotations"] = dict(resource.annotations)
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": metadata,
        "spec": {
            "group": resource.group,
            "names": names,
            "scope": "Namespaced" if resource.namespaced else "Cluster",
            "versions": [_version(kind) for kind in versions],
        },
    }


def _version(kind: type[Object]) -> dict[str, Any]:
    resource = _resource(kind)
    version: dict[str, Any] = {
        "name": resource.version,
        "served": True,
        "storage": resource.stored,
        "schema": {"openAPIV3Schema": openapi_schema(kind)},
    }
    if resource.columns:
        version["additionalPrinterColumns"] = [
            {"name": column.name, "type": column.type, "jsonPath": column.json_path} for column in resource.columns
        ]
    if resource.status_subresource:
        version["subresources"] = {"status": {}}
    return version

"""ConfigMap."""

from typing import ClassVar

from koord.api.meta import Object
from koord.api.resource import Resource


class ConfigMap(Object, kw_only=True):
    """Texts by key; `binary_data` is in base64."""

    RESOURCE: ClassVar = Resource("", "v1", "ConfigMap", "configmaps", namespaced=True)

    data: dict[str, str] = {}
    binary_data: dict[str, str] = {}
    immutable: bool | None = None

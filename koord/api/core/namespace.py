"""Namespace."""

from typing import ClassVar

import msgspec

from koord.api.base import Record
from koord.api.meta import Object
from koord.api.resource import Resource


class NamespaceStatus(Record, kw_only=True):
    """`Active` or `Terminating`."""

    phase: str = ""


class Namespace(Object, kw_only=True):
    """A namespace; its labels and annotations carry quota settings."""

    RESOURCE: ClassVar = Resource("", "v1", "Namespace", "namespaces", namespaced=False)

    status: NamespaceStatus = msgspec.field(default_factory=NamespaceStatus)

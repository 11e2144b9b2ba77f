"""Where a kind lives in the API: group, version, plural and scope, hence its paths."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Resource:
    """The REST resource of a kind."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool

    @property
    def api_version(self) -> str:
        """`v1` for the core group, else `group/version`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def path(self, namespace: str = "", name: str = "", subresource: str = "") -> str:
        """The path of the collection or, with a name, of an object; without a namespace, of all namespaces."""
        root = f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"
        scope = f"/namespaces/{namespace}" if self.namespaced and namespace else ""
        tail = "/".join(part for part in (self.plural, name, subresource) if part)
        return f"{root}{scope}/{tail}"

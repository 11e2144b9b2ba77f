"""What a CRD says about a kind beyond the schema of its fields."""

from dataclasses import dataclass, field

from koord.api.resource import Resource


@dataclass(frozen=True)
class PrinterColumn:
    """A column of `kubectl get`."""

    name: str
    type: str
    json_path: str


AGE = PrinterColumn("Age", "date", ".metadata.creationTimestamp")


@dataclass(frozen=True, kw_only=True)
class CustomResource(Resource):
    """A kind that a CRD defines; `stored` is the version that the server keeps (all versions are served)."""

    status_subresource: bool = False
    short_names: tuple[str, ...] = ()
    columns: tuple[PrinterColumn, ...] = ()
    annotations: dict[str, str] = field(default_factory=dict[str, str])
    stored: bool = True

    @property
    def crd_name(self) -> str:
        """The name of the CRD: `plural.group`."""
        return f"{self.plural}.{self.group}"

"""A strategy per cluster with exceptions per node: reading it from its document, choosing the one of a node."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from koord.api.base import Record
from koord.api.errors import ValidationError
from koord.api.gojson import Mismatch, decode, load, names_a_field
from koord.api.meta import LabelSelector
from koord.api.selectors.labels import compile_selector
from koord.api.selectors.requirement import Labels, SelectorError
from koord.api.sloconfig.keys import CONFIG_MAP_NAME, CONFIG_MAP_NAMESPACE
from koord.api.sloconfig.merge import merged

S = TypeVar("S", bound=Record)
T = TypeVar("T")

SUBJECT = f"ConfigMap {CONFIG_MAP_NAMESPACE}/{CONFIG_MAP_NAME}"


@dataclass(frozen=True)
class NodeEntry(Generic[T]):
    """An exception: for the nodes that the selector matches. An absent selector matches none, an empty one all."""

    name: str
    selector: LabelSelector | None
    strategy: T


@dataclass(frozen=True)
class Strategies(Generic[T]):
    """The cluster's strategy and the exceptions, each already laid over it."""

    cluster: T
    nodes: tuple[NodeEntry[T], ...] = ()

    def for_node(self, labels: Labels) -> T:
        """The strategy of the first entry that matches the node's labels, alone; without one the cluster's."""
        entry = next((entry for entry in self.nodes if _matches(entry.selector, labels)), None)
        return entry.strategy if entry else self.cluster


def _matches(selector: LabelSelector | None, labels: Labels) -> bool:
    """Whether the selector matches; one that does not compile is passed over."""
    try:
        return compile_selector(selector).matches(labels)
    except SelectorError:
        return False


class _Profile(Record, kw_only=True):
    """What stands in an entry beside the strategy's fields."""

    name: str = ""
    node_selector: LabelSelector | None = None


class _LayeredDocument(Record, kw_only=True):
    """`{"clusterStrategy": …, "nodeStrategies": […]}`."""

    cluster_strategy: Any = None
    node_strategies: list[Any] = []


class _InlineDocument(Record, kw_only=True):
    """The cluster strategy's fields and `nodeConfigs` side by side."""

    node_configs: list[Any] = []


def written_layered(key: str, text: str, kind: type[S]) -> Strategies[S | None]:
    """Read `clusterStrategy` + `nodeStrategies` as they are written, without overlay; raises ValidationError.

    A part that names no field of the strategy is None.
    """
    document = _decode(key, _load(key, text), _LayeredDocument)
    cluster = _written(key, document.cluster_strategy, kind, "clusterStrategy")
    return Strategies(cluster, _entries(key, "nodeStrategies", document.node_strategies, kind))


def written_inline(key: str, text: str, kind: type[S]) -> Strategies[S | None]:
    """Read an inline strategy + `nodeConfigs` as they are written, without overlay; raises ValidationError."""
    value = _load(key, text)
    entries = _decode(key, value, _InlineDocument).node_configs
    return Strategies(_written(key, value, kind), _entries(key, "nodeConfigs", entries, kind))


def overlaid(written: Strategies[S | None], default: S) -> Strategies[S]:
    """Lay the cluster's part over the default, and each node's part over that.

    A part without any field of the strategy changes nothing: fields that are always written keep their values too.
    """
    cluster = default if written.cluster is None else merged(default, written.cluster)
    nodes = (
        NodeEntry(one.name, one.selector, cluster if one.strategy is None else merged(cluster, one.strategy))
        for one in written.nodes
    )
    return Strategies(cluster, tuple(nodes))


def _entries(key: str, path: str, values: list[Any], kind: type[S]) -> tuple[NodeEntry[S | None], ...]:
    return tuple(_entry(key, f"{path}[{index}]", value, kind) for index, value in enumerate(values))


def _entry(key: str, path: str, value: object, kind: type[S]) -> NodeEntry[S | None]:
    profile = _decode(key, value, _Profile, path)
    return NodeEntry(profile.name, profile.node_selector, _written(key, value, kind, path))


def _written(key: str, value: object, kind: type[S], path: str = "") -> S | None:
    strategy = _decode(key, value, kind, path)
    return strategy if names_a_field(value, kind) else None


def _load(key: str, text: str) -> object:
    try:
        return load(text)
    except Mismatch as mismatch:
        raise _error(key, "", mismatch) from None


def _decode(key: str, value: object, kind: type[S], path: str = "") -> S:
    try:
        return decode(value, kind)
    except Mismatch as mismatch:
        raise _error(key, path, mismatch) from None


def _error(key: str, path: str, mismatch: Mismatch) -> ValidationError:
    inner = ".".join(part for part in (path, mismatch.path) if part)
    where = f"data[{key}]" + (f".{inner}" if inner else "")
    return ValidationError(SUBJECT, where, mismatch.found, mismatch.allowed)

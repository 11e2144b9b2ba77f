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


def parse_layered(key: str, text: str, kind: type[S], default: S) -> Strategies[S]:
    """Read a document of the form `clusterStrategy` + `nodeStrategies`; raises ValidationError."""
    document = _decode(key, _load(key, text), _LayeredDocument)
    given = _decode(key, document.cluster_strategy, kind, "clusterStrategy")
    return _overlaid(key, "nodeStrategies", merged(default, given), document.node_strategies, kind)


def parse_inline(key: str, text: str, kind: type[S], default: S) -> Strategies[S]:
    """Read a document of the form inline strategy + `nodeConfigs`; raises ValidationError."""
    value = _load(key, text)
    document = _decode(key, value, _InlineDocument)
    given = _decode(key, value, kind)
    return _overlaid(key, "nodeConfigs", merged(default, given), document.node_configs, kind)


def parse_replacing(key: str, text: str, kind: type[S]) -> Strategies[S]:
    """Read an inline document whose entries replace the cluster's part whole; raises ValidationError."""
    value = _load(key, text)
    entries = _decode(key, value, _InlineDocument).node_configs
    return Strategies(
        _decode(key, value, kind), tuple(_entry(key, f"nodeConfigs[{i}]", e, kind) for i, e in enumerate(entries))
    )


def _overlaid(key: str, path: str, cluster: S, entries: list[Any], kind: type[S]) -> Strategies[S]:
    nodes: list[NodeEntry[S]] = []
    for index, value in enumerate(entries):
        entry = _entry(key, f"{path}[{index}]", value, kind)
        # Without any field of the strategy there is nothing to lay over: fields that are always written stay too.
        strategy = merged(cluster, entry.strategy) if names_a_field(value, kind) else cluster
        nodes.append(NodeEntry(entry.name, entry.selector, strategy))
    return Strategies(cluster, tuple(nodes))


def _entry(key: str, path: str, value: object, kind: type[S]) -> NodeEntry[S]:
    profile = _decode(key, value, _Profile, path)
    return NodeEntry(profile.name, profile.node_selector, _decode(key, value, kind, path))


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

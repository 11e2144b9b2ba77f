"""Terms of pod affinity and anti-affinity: which other pods they speak of."""

from dataclasses import dataclass
from typing import Annotated

from koord.api.base import Int32, Schema, Value
from koord.api.meta import LabelSelector
from koord.api.selectors.labels import Selector, compile_selector
from koord.api.selectors.requirement import Labels


class PodAffinityTerm(Value, frozen=True, kw_only=True):
    """Pods by labels and namespace, and the node label that says which nodes count as one place."""

    topology_key: str
    label_selector: LabelSelector | None = None
    namespaces: Annotated[tuple[str, ...], Schema(list_type="atomic")] = ()
    namespace_selector: LabelSelector | None = None
    match_label_keys: Annotated[tuple[str, ...], Schema(list_type="atomic")] = ()
    mismatch_label_keys: Annotated[tuple[str, ...], Schema(list_type="atomic")] = ()


class WeightedPodAffinityTerm(Value, frozen=True, kw_only=True):
    """A preferred term with its weight."""

    weight: Int32
    pod_affinity_term: PodAffinityTerm


class PodAffinity(Value, frozen=True, kw_only=True):
    """Required and preferred terms; of the same shape for affinity and anti-affinity."""

    required_during_scheduling_ignored_during_execution: Annotated[
        tuple[PodAffinityTerm, ...], Schema(list_type="atomic")
    ] = ()
    preferred_during_scheduling_ignored_during_execution: Annotated[
        tuple[WeightedPodAffinityTerm, ...], Schema(list_type="atomic")
    ] = ()


@dataclass(frozen=True)
class AffinityTerm:
    """A compiled term."""

    topology_key: str
    selector: Selector
    namespaces: frozenset[str]
    namespace_selector: Selector

    def matches(self, namespace: str, namespace_labels: Labels, labels: Labels) -> bool:
        """Whether the term speaks of a pod with these labels in that namespace."""
        inside = namespace in self.namespaces or self.namespace_selector.matches(namespace_labels)
        return inside and self.selector.matches(labels)


def compile_affinity_term(term: PodAffinityTerm, own_namespace: str, path: str = "") -> AffinityTerm:
    """Compile a term of a pod; without namespaces and namespace selector the pod's own namespace counts.

    The server has already merged `matchLabelKeys` and `mismatchLabelKeys` into the label selector when the pod was
    created. Raises SelectorError.
    """
    where = f"{path}." if path else ""
    namespaces = frozenset(term.namespaces)
    if not namespaces and term.namespace_selector is None:
        namespaces = frozenset((own_namespace,))
    return AffinityTerm(
        term.topology_key,
        compile_selector(term.label_selector, path=f"{where}labelSelector"),
        namespaces,
        compile_selector(term.namespace_selector, path=f"{where}namespaceSelector"),
    )

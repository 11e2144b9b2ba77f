"""Node selectors and node affinity: which nodes a pod may use, and which it prefers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from koord.api.base import Int32, Schema, Value
from koord.api.selectors.labels import Selector, equal_labels
from koord.api.selectors.requirement import NODE_OPERATORS, Labels, Operator, SelectorError, requirement

FIELD_NAME: Final = "metadata.name"


class NodeSelectorRequirement(Value, frozen=True, kw_only=True):
    """One condition on a node's label, or on its name in `matchFields`."""

    key: str
    operator: str
    values: Annotated[tuple[str, ...], Schema(list_type="atomic")] = ()


class NodeSelectorTerm(Value, frozen=True, kw_only=True):
    """Conditions that must all hold; an empty term matches no node."""

    match_expressions: Annotated[tuple[NodeSelectorRequirement, ...], Schema(list_type="atomic")] = ()
    match_fields: Annotated[tuple[NodeSelectorRequirement, ...], Schema(list_type="atomic")] = ()


class NodeSelector(Value, frozen=True, kw_only=True):
    """Terms of which one must match."""

    node_selector_terms: Annotated[tuple[NodeSelectorTerm, ...], Schema(list_type="atomic")]


class PreferredSchedulingTerm(Value, frozen=True, kw_only=True):
    """A term that adds its weight to the score of the nodes it matches."""

    weight: Int32
    preference: NodeSelectorTerm


class NodeAffinity(Value, frozen=True, kw_only=True):
    """The node part of a pod's affinity."""

    required_during_scheduling_ignored_during_execution: NodeSelector | None = None
    preferred_during_scheduling_ignored_during_execution: Annotated[
        tuple[PreferredSchedulingTerm, ...], Schema(list_type="atomic")
    ] = ()


@dataclass(frozen=True)
class _Field:
    """One condition on a field of the node."""

    key: str
    value: str
    equal: bool

    def matches(self, fields: Mapping[str, str]) -> bool:
        return (fields.get(self.key, "") == self.value) is self.equal


@dataclass(frozen=True)
class Term:
    """A compiled, non-empty term."""

    labels: Selector
    fields: tuple[_Field, ...]

    def matches(self, name: str, labels: Labels) -> bool:
        """Whether the node of that name and labels fulfils every condition; without a name fields are not looked at."""
        return self.labels.matches(labels) and (
            not name or all(field.matches({FIELD_NAME: name}) for field in self.fields)
        )


@dataclass(frozen=True)
class Terms:
    """Compiled terms of which one must match, and the errors of those that did not compile."""

    terms: tuple[Term, ...]
    errors: tuple[SelectorError, ...]

    def matches(self, name: str, labels: Labels) -> bool:
        """Whether any term matches; raises the first term's SelectorError when none does and one is broken."""
        if any(term.matches(name, labels) for term in self.terms):
            return True
        if self.errors:
            raise self.errors[0]
        return False


def compile_term(term: NodeSelectorTerm, path: str = "") -> Term | None:
    """Compile a term; None for an empty one, which matches no node. Raises SelectorError."""
    if not term.match_expressions and not term.match_fields:
        return None
    where = f"{path}." if path else ""
    labels = [
        requirement(one.key, one.operator, one.values, path=f"{where}matchExpressions[{index}]", allowed=NODE_OPERATORS)
        for index, one in enumerate(term.match_expressions)
    ]
    fields = [_field(one, f"{where}matchFields[{index}]") for index, one in enumerate(term.match_fields)]
    return Term(Selector(tuple(labels)), tuple(fields))


def compile_terms(terms: tuple[NodeSelectorTerm, ...], path: str = "nodeSelectorTerms") -> Terms:
    """Compile terms of which one must match; a broken one is kept as an error and hinders no other."""
    compiled: list[Term] = []
    errors: list[SelectorError] = []
    for index, term in enumerate(terms):
        try:
            if one := compile_term(term, f"{path}[{index}]"):
                compiled.append(one)
        except SelectorError as error:
            errors.append(error)
    return Terms(tuple(compiled), tuple(errors))


def _field(one: NodeSelectorRequirement, path: str) -> _Field:
    if one.operator not in (Operator.IN, Operator.NOT_IN):
        raise SelectorError(f'{path}.operator: found "{one.operator}", allowed In, NotIn')
    if len(one.values) != 1:
        raise SelectorError(f"{path}.values: found {list(one.values)}, allowed exactly one")
    return _Field(one.key, one.values[0], one.operator == Operator.IN)


@dataclass(frozen=True)
class RequiredNodes:
    """What a pod demands of its node: `spec.nodeSelector` and the required node affinity, both compiled."""

    labels: Selector
    terms: Terms | None

    def matches(self, name: str, labels: Labels) -> bool:
        """Whether the pod may run on the node; raises SelectorError as Terms.matches does."""
        return self.labels.matches(labels) and (self.terms is None or self.terms.matches(name, labels))


def required_nodes(node_selector: Mapping[str, str], affinity: NodeAffinity | None) -> RequiredNodes:
    """Compile a pod's demands; a required selector without terms matches no node."""
    required = affinity.required_during_scheduling_ignored_during_execution if affinity else None
    terms = compile_terms(required.node_selector_terms) if required else None
    return RequiredNodes(equal_labels(node_selector), terms)


def preference(terms: tuple[PreferredSchedulingTerm, ...], name: str, labels: Labels) -> int:
    """Sum the weights of the preferred terms that match the node; raises SelectorError for a broken term."""
    total = 0
    for index, one in enumerate(terms):
        term = compile_term(one.preference, f"preferred[{index}].preference") if one.weight else None
        if term and term.matches(name, labels):
            total += one.weight
    return total

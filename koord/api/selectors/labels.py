"""metav1.LabelSelector: compiled once, matched often."""

from dataclasses import dataclass
from typing import Final

from koord.api.meta import LabelSelector
from koord.api.selectors.requirement import Labels, Operator, Requirement, requirement


@dataclass(frozen=True)
class Selector:
    """Conditions that must all hold; without any it matches everything. None matches nothing."""

    requirements: tuple[Requirement, ...] | None

    def matches(self, labels: Labels) -> bool:
        """Whether all conditions hold for the labels."""
        return self.requirements is not None and all(one.matches(labels) for one in self.requirements)


EVERYTHING: Final = Selector(())
NOTHING: Final = Selector(None)


def compile_selector(selector: LabelSelector | None, *, path: str = "") -> Selector:
    """Compile a selector as metav1.LabelSelectorAsSelector does: absent matches nothing, empty matches everything.

    Raises SelectorError for an unknown operator, a wrong number of values, a bad key or value; it names the field below
    the path.
    """
    if selector is None:
        return NOTHING
    where = f"{path}." if path else ""
    labels = [
        requirement(key, Operator.IN, (value,), path=f"{where}matchLabels")
        for key, value in sorted(selector.match_labels.items())
    ]
    expressions = [
        requirement(one.key, one.operator, one.values, path=f"{where}matchExpressions[{index}]")
        for index, one in enumerate(selector.match_expressions)
    ]
    return Selector((*labels, *expressions))


def equal_labels(labels: Labels) -> Selector:
    """All the given labels must be equal; they are not checked, as in labels.SelectorFromSet (`spec.nodeSelector`)."""
    return Selector(tuple(Requirement(key, Operator.IN, frozenset((labels[key],))) for key in sorted(labels)))

"""What of the prod pods' requests can be lent to mid pods, and the peak that prod work may reach.

Two predictions, one pod by pod and one class by class; the more careful one counts. Formulas as in Koordinator's
peak predictor.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from koord.api.base import ResourceList
from koord.api.core.node import Node
from koord.api.names.resources import RESOURCE_CPU, RESOURCE_MEMORY
from koord.api.payloads.node import RAW_ALLOCATABLE
from koord.api.podrequests import pod_requests
from koord.api.qos import PriorityClass
from koordlet.predict.model import Amount, Model
from koordlet.states.pods import PodFacts, amount

SYSTEM: Final = "sys"
"""Key of what the node uses beside pods."""
LENDING: Final = (PriorityClass.PROD, PriorityClass.NONE)
"""Classes whose unused requests are lent."""


@dataclass(frozen=True)
class Prediction:
    """What can be lent (None while the node is unknown) and the peak, by one predictor."""

    reclaimable: Amount | None
    peak: Amount


def lends(facts: PodFacts) -> bool:
    """The pod's class lends what it does not use."""
    return facts.priority_class in LENDING


def allocatable_of(node: Node) -> Amount:
    """What the node allots to pods, before any amplification."""
    subject = f"Node {node.metadata.name}"
    raw, _ = RAW_ALLOCATABLE.read_or(node.metadata.annotations, subject, node.status.allocatable)
    return _amount(raw)


def request_of(facts: PodFacts) -> Amount:
    """What the scheduler counts for the pod."""
    return _amount(pod_requests(facts.pod.spec))


def _amount(resources: ResourceList) -> Amount:
    return Amount(amount(resources, RESOURCE_CPU).milli_value(), amount(resources, RESOURCE_MEMORY).value())


class PodPredictor:
    """Looks at each pod's own history."""

    def __init__(self, models: Mapping[str, Model], margin: float, cold_start_s: float) -> None:
        self._models = models
        self._margin = margin
        self._cold_start_s = cold_start_s
        self._unpredicted = Amount()
        self._peaks = Amount()
        self._lent = Amount()

    def add(self, facts: PodFacts, age_s: float) -> bool:
        """Count a pod; False when it has no history although it is old enough to have one."""
        request = request_of(facts)
        if age_s <= self._cold_start_s:
            self._unpredicted += request
            return True
        if facts.ending:
            return True
        model = self._models.get(facts.uid)
        if model is None:
            self._unpredicted += request
            return False
        peak = model.peak().times(self._margin)
        self._peaks += peak
        self._lent += request.less(peak)
        return True

    def predict(self, allocatable: Amount | None) -> Prediction:
        """Add up the pods' own predictions, within what the node has left beside the peaks."""
        lent = allocatable.less(self._peaks).smaller(self._lent) if allocatable else None
        return Prediction(lent, self._peaks + self._unpredicted)


class ClassPredictor:
    """Looks at the history of whole classes and of the system."""

    def __init__(self, models: Mapping[str, Model], margin: float) -> None:
        self._models = models
        self._margin = margin
        self._requests = Amount()

    def add(self, facts: PodFacts) -> None:
        """Count a pod's request."""
        if not facts.ending:
            self._requests += request_of(facts)

    def predict(self, allocatable: Amount | None) -> Prediction | None:
        """Lend what the classes leave of their requests; None when one of them has no history."""
        peak = Amount()
        for key in (SYSTEM, *LENDING):
            model = self._models.get(key)
            if model is None:
                return None
            peak += model.peak().times(self._margin)
        lent = allocatable.less(peak).smaller(self._requests.less(peak)) if allocatable else None
        return Prediction(lent, peak)


def combined(one: Prediction, other: Prediction) -> Prediction:
    """Lend the smaller of both, and expect the larger peak."""
    lent = one.reclaimable.smaller(other.reclaimable) if one.reclaimable and other.reclaimable else None
    return Prediction(lent, one.peak.larger(other.peak))

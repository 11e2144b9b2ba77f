"""All keys with a payload, for tools that look at whole objects."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from koord.api.errors import ValidationError
from koord.api.payloads import (
    devices,
    eviction,
    gang,
    loadaware,
    node,
    numa,
    qos,
    quota,
    reservation,
    resources,
    scheduler,
    topology,
)
from koord.api.payloads.payload import Payload, Place

_MODULES: Final = (
    devices,
    eviction,
    gang,
    loadaware,
    node,
    numa,
    qos,
    quota,
    reservation,
    resources,
    scheduler,
    topology,
)


def _declared() -> Iterator[Payload[Any]]:
    for module in _MODULES:
        yield from (value for value in vars(module).values() if isinstance(value, Payload))


PAYLOADS: Final[Mapping[tuple[Place, str], Payload[Any]]] = {(one.place, one.key): one for one in _declared()}


def review_metadata(labels: Mapping[str, str], annotations: Mapping[str, str], subject: str) -> list[ValidationError]:
    """Everything that is wrong or odd about the labels and annotations of an object whose keys are ours."""
    findings: list[ValidationError] = []
    for place, texts in ((Place.LABEL, labels), (Place.ANNOTATION, annotations)):
        for key, text in texts.items():
            payload = PAYLOADS.get((place, key))
            if payload is not None:
                findings += payload.review(text, subject)
    return findings

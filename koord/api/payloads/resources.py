"""Batch resources of a pod's containers, and the renaming of resources."""

from typing import NamedTuple

from koord.api.base import Record, ResourceList
from koord.api.gojson import Mismatch
from koord.api.names.resources import ANNOTATION_EXTENDED_RESOURCE_SPEC, ANNOTATION_REPLACE_RESOURCES
from koord.api.payloads.payload import Codec, Findings, annotation, json_annotation


class ExtendedResources(Record, kw_only=True):
    """Batch-cpu and batch-memory of one container."""

    limits: ResourceList = {}
    requests: ResourceList = {}


class ExtendedResourceSpec(Record, kw_only=True):
    """Batch resources by container; only regular containers that have some."""

    containers: dict[str, ExtendedResources] = {}


EXTENDED_RESOURCE_SPEC = json_annotation(ANNOTATION_EXTENDED_RESOURCE_SPEC, ExtendedResourceSpec)


class Replacement(NamedTuple):
    """A resource and the name it gets; an empty name erases it."""

    old: str
    new: str


def _parse_replacements(text: str) -> tuple[Replacement, ...]:
    pairs = (item.split(":") for item in text.split(","))
    return tuple(Replacement(pair[0].strip(), pair[1].strip()) for pair in pairs if len(pair) == 2)


def _write_replacements(replacements: tuple[Replacement, ...]) -> str:
    return ",".join(f"{one.old}:{one.new}" for one in replacements)


def _review_replacements(replacements: tuple[Replacement, ...]) -> Findings:
    if not replacements:
        yield Mismatch("no pair", "from:to pairs, separated by commas")


REPLACE_RESOURCES = annotation(
    ANNOTATION_REPLACE_RESOURCES, Codec(_parse_replacements, _write_replacements, _review_replacements)
)
"""Items without exactly one colon are passed over."""

"""Reservations: what pods want of them and got, and how reserve pods are marked."""

from enum import StrEnum

from koord.api.base import Record, ResourceList
from koord.api.gojson import parse, render
from koord.api.meta import ObjectReference
from koord.api.names import reservation as names
from koord.api.payloads import texts
from koord.api.payloads.payload import Findings, Payload, Place, annotation, json_annotation, label, odd
from koord.api.scheduling.reservation import ReservationOwner
from koord.api.selectors.nodes import NodeSelectorTerm, compile_term
from koord.api.selectors.requirement import SelectorError
from koord.api.selectors.taints import Toleration


class ReservationAllocated(Record, kw_only=True):
    """The reservation that a pod uses."""

    name: str = ""
    uid: str = ""


RESERVATION_ALLOCATED = json_annotation(names.ANNOTATION_RESERVATION_ALLOCATED, ReservationAllocated)


class ReservationAffinitySelector(Record, kw_only=True):
    """Terms over labels of reservations, of which one must match."""

    reservation_selector_terms: list[NodeSelectorTerm] = []


class ReservationAffinity(Record, kw_only=True):
    """Which reservations a pod must use; with a name the other fields are ignored."""

    name: str = ""
    required_during_scheduling_ignored_during_execution: ReservationAffinitySelector | None = None
    reservation_selector: dict[str, str] = {}
    tolerations: list[Toleration] = []


def _parse_affinity(text: str) -> ReservationAffinity:
    return parse(text, ReservationAffinity) if text else ReservationAffinity()


def _review_affinity(affinity: ReservationAffinity) -> Findings:
    required = affinity.required_during_scheduling_ignored_during_execution
    path = ("requiredDuringSchedulingIgnoredDuringExecution", "reservationSelectorTerms")
    for index, term in enumerate(required.reservation_selector_terms if required else ()):
        try:
            empty = compile_term(term) is None
        except SelectorError as error:
            yield odd(str(error), "a valid term", *path, index)
        else:
            if empty:
                yield odd("an empty term", "a term with conditions; this one matches nothing", *path, index)
    if affinity.name and (required or affinity.reservation_selector or affinity.tolerations):
        yield odd(affinity.name, "no name beside other fields, which it makes void", "name")


RESERVATION_AFFINITY = Payload(
    Place.ANNOTATION, names.ANNOTATION_RESERVATION_AFFINITY, _parse_affinity, render, _review_affinity
)
"""An empty text is an affinity without conditions, which still counts as present."""


class RestrictedOptions(Record, kw_only=True):
    """The resources of a Restricted reservation that are restricted; none named is all."""

    resources: list[str] = []


RESERVATION_RESTRICTED_OPTIONS = json_annotation(names.ANNOTATION_RESERVATION_RESTRICTED_OPTIONS, RestrictedOptions)


class ExactMatchSpec(Record, kw_only=True):
    """The resources of which pod and reservation must have the same amount."""

    resource_names: list[str] = []


EXACT_MATCH_RESERVATION = json_annotation(names.ANNOTATION_EXACT_MATCH_RESERVATION, ExactMatchSpec)


class ResizeAllocatable(Record, kw_only=True):
    """The amounts that a reservation holds after a resize."""

    resources: ResourceList = {}


RESERVATION_RESIZE_ALLOCATABLE = json_annotation(names.ANNOTATION_RESERVATION_RESIZE_ALLOCATABLE, ResizeAllocatable)


class OperatingMode(StrEnum):
    """Whether a Pod runs, or is itself a reservation."""

    RUNNABLE = "Runnable"
    RESERVATION = "Reservation"


def _check_owners(owners: list[ReservationOwner]) -> None:
    for index, owner in enumerate(owners):
        if owner == ReservationOwner():
            raise odd(None, "object, controller or labelSelector", index)


OPERATING_MODE = label(names.LABEL_OPERATING_MODE, texts.one_of(OperatingMode))
RESERVATION_OWNERS = json_annotation(names.ANNOTATION_RESERVATION_OWNERS, list[ReservationOwner], check=_check_owners)
RESERVATION_CURRENT_OWNER = json_annotation(names.ANNOTATION_RESERVATION_CURRENT_OWNER, ObjectReference)

RESERVATION_IGNORED = label(names.LABEL_RESERVATION_IGNORED, texts.FLAG)
PRE_ALLOCATION_REQUIRED = label(names.LABEL_PRE_ALLOCATION_REQUIRED, texts.FLAG)
RESERVATION_ORDER = label(names.LABEL_RESERVATION_ORDER, texts.integer())
IS_PRE_ALLOCATABLE = label(names.LABEL_IS_PRE_ALLOCATABLE, texts.FLAG)
PRE_ALLOCATABLE_PRIORITY = annotation(names.ANNOTATION_PRE_ALLOCATABLE_PRIORITY, texts.integer())

RESERVE_POD = annotation(names.ANNOTATION_RESERVE_POD, texts.FLAG)
RESERVATION_NAME = annotation(names.ANNOTATION_RESERVATION_NAME, texts.TEXT)
RESERVATION_NODE = annotation(names.ANNOTATION_RESERVATION_NODE, texts.TEXT)
IS_PRE_ALLOCATION = annotation(names.ANNOTATION_IS_PRE_ALLOCATION, texts.FLAG)

"""Event of the core group."""

from typing import ClassVar

import msgspec

from koord.api.base import Int32, MicroTime, Record, Time
from koord.api.meta import Object, ObjectReference
from koord.api.resource import Resource


class EventSource(Record, kw_only=True):
    """Who reports."""

    component: str = ""
    host: str = ""


class EventSeries(Record, kw_only=True):
    """How often the event happened, and when last."""

    count: Int32 = 0
    last_observed_time: MicroTime | None = None


class Event(Object, kw_only=True):
    """Something that happened to an object."""

    RESOURCE: ClassVar = Resource("", "v1", "Event", "events", namespaced=True)

    involved_object: ObjectReference
    reason: str = ""
    message: str = ""
    source: EventSource = msgspec.field(default_factory=EventSource)
    first_timestamp: Time | None = None
    last_timestamp: Time | None = None
    count: Int32 = 0
    type: str = ""
    event_time: MicroTime | None = None
    series: EventSeries | None = None
    action: str = ""
    related: ObjectReference | None = None
    reporting_component: str = ""
    reporting_instance: str = ""

"""Prometheus metrics of the client layer, the same in every component."""

from prometheus_client import Counter, Gauge

REQUESTS = Counter("koord_kube_requests_total", "Requests to the API server by outcome.", ("method", "code"))
LISTS = Counter("koord_informer_lists_total", "Full lists an informer read.", ("resource", "cause"))
STREAMS = Counter("koord_informer_streams_total", "Watch streams by how they ended.", ("resource", "end"))
CHANGES = Counter("koord_informer_changes_total", "Changes passed to handlers.", ("resource", "type"))
BROKEN = Counter("koord_informer_broken_objects_total", "Objects that could not be decoded.", ("resource",))
HANDLER_ERRORS = Counter("koord_informer_handler_errors_total", "Handlers that raised.", ("resource", "handler"))
OBJECTS = Gauge("koord_informer_objects", "Objects in an informer's store.", ("resource",))
QUEUE_DEPTH = Gauge("koord_workqueue_depth", "Keys that wait in a work queue.", ("name",))
QUEUE_ADDS = Counter("koord_workqueue_adds_total", "Keys added to a work queue.", ("name",))
QUEUE_RETRIES = Counter("koord_workqueue_retries_total", "Keys added again after a failure.", ("name",))
EVENTS_DROPPED = Counter("koord_events_dropped_total", "Events not recorded, by cause.", ("cause",))
LEADER = Gauge("koord_leader", "1 while this process holds the lease.", ("lease",))

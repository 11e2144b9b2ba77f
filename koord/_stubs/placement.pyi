"""The placement engine (rust/placement): objects go in as JSON, decisions come out as columns, reasons as JSON."""

from collections.abc import Mapping, Sequence
from typing import Final

class PlacementError(ValueError):
    """An object or a configuration that cannot be used; the text names object, path, found and allowed values."""

class Placements:
    """What became of a batch: one entry per pod in every column, in the order the pods were given."""

    nodes: Final[list[str | None]]
    """The node, None for a pod that fits nowhere."""
    annotations: Final[list[dict[str, str] | None]]
    """Annotations to write on the pod with its binding; None without any."""
    messages: Final[list[str | None]]
    """Event text of a pod that fits nowhere, in kube-scheduler's words."""
    plugins: Final[list[list[str] | None]]
    """Plugins that refused the pod or some node for it."""

class PlacementEngine:
    """A cluster snapshot with profiles over it. Calls are serialised and release the GIL."""

    def __new__(
        cls, configuration: bytes = b"{}", *, gates: Mapping[str, bool] = ..., seed: int | None = None
    ) -> PlacementEngine:
        """Build from a KubeSchedulerConfiguration (JSON). Ties are broken by the seed;
        without one the first of equally good nodes is taken.

        Raises PlacementError with the path that cannot be used.
        """

    def upsert(self, kind: str, raw: bytes) -> str:
        """Take in a version of an object (JSON) and return its key. A bad object changes nothing: PlacementError."""

    def upsert_many(self, kind: str, raws: Sequence[bytes]) -> list[str]:
        """Take in objects of one kind in order, up to the first bad one."""

    def delete(self, kind: str, key: str) -> bool:
        """Forget an object by `namespace/name` or name; True when it was known."""

    def place(self, pods: Sequence[str]) -> Placements:
        """Decide for waiting pods (`namespace/name`) in order, each seeing the placements before it.

        Placed pods count on their nodes at once. Raises PlacementError for an unknown pod; nothing is decided then.
        """

    def set_workload(self, pods: Sequence[tuple[bytes, int]]) -> None:
        """Say what arrives over time: pods (JSON), each with how often it comes. Scores that look ahead use it;

        without it they take the pods in the snapshot. Raises PlacementError with the path that cannot be read.
        """

    def forget(self, pod: str) -> bool:
        """Take a placed pod off its node again (its binding failed); False when it was not placed."""

    def nominate(self, pod: str, node: str | None) -> None:
        """Nominate a waiting pod to a node, so that lower priorities leave room there; None takes it back."""

    def fits(self, pod: str, node: str) -> bool:
        """Whether the node would take the waiting pod now."""

    def explain(self, pod: bytes) -> bytes:
        """Everything the plugins say about a pod (JSON in, JSON out); the pod need not be in the snapshot."""

    def preempt(self, pod: bytes) -> bytes:
        """Who would have to go so that the pod (JSON) fits, and where (JSON). Nothing is changed."""

    def pre_enqueue(self, pod: bytes) -> bytes | None:
        """Why the pod (JSON) has to stay out of the queue (JSON), None when it need not."""

    def dump(self) -> bytes:
        """The snapshot's columns by name (JSON): equal for equal clusters, however they were reached."""

    @staticmethod
    def plugin_names() -> list[str]:
        """Names a configuration may use for the engine's plugins."""

class SchedulingQueue:
    """Pods that wait to be decided on: ready, backing off, or waiting for an event that may help them.

    Times are nanoseconds on one clock of the caller's choice. Pods and nodes are given as JSON; a bad one raises
    PlacementError and changes nothing.
    """

    def __new__(
        cls,
        engine: PlacementEngine,
        *,
        initial_backoff_ns: int = 1_000_000_000,
        max_backoff_ns: int = 10_000_000_000,
        max_in_unschedulable_ns: int = 300_000_000_000,
    ) -> SchedulingQueue: ...
    def add(self, raw: bytes, now_ns: int) -> None:
        """Take in a new waiting pod."""

    def update(self, raw: bytes, now_ns: int) -> None:
        """Take in a new version of a waiting pod."""

    def pop(self) -> tuple[str, int] | None:
        """Key and attempts of the pod to decide on next; None when none is ready."""

    def fail(self, key: str, plugins: Sequence[str], now_ns: int) -> None:
        """Give a popped pod back that these plugins rejected; none means an internal error."""

    def remove(self, key: str) -> None:
        """Forget a pod: it was placed, or is gone."""

    def activate(self, key: str) -> None:
        """Ask for a pod to be tried now."""

    def node_added(self, raw: bytes, now_ns: int) -> None:
        """Move the pods that a new node may help."""

    def node_updated(self, before: bytes, after: bytes, now_ns: int) -> list[str]:
        """Move the pods that a changed node may help; returns the events that the change is."""

    def assigned_pod_added(self, raw: bytes, now_ns: int) -> None:
        """Move the pods that a newly placed pod may help."""

    def assigned_pod_deleted(self, raw: bytes, now_ns: int) -> None:
        """Move the pods that a pod's departure from its node may help."""

    def flush_backoff(self, now_ns: int) -> None:
        """Let pods go whose back-off is over."""

    def flush_unschedulable(self, now_ns: int) -> None:
        """Let pods go that waited too long for an event."""

    def state(self) -> bytes:
        """Who is where (JSON): active, backoff with its ends, unschedulable, gated with the plugin."""

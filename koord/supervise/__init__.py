"""One supervisor per component: restarts a failed part with backoff and says how each part is."""

from koord.supervise.backoff import Backoff
from koord.supervise.child import ChildError, run_child
from koord.supervise.supervisor import PartStatus, Supervisor

__all__ = ["Backoff", "ChildError", "PartStatus", "Supervisor", "run_child"]

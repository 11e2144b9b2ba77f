"""The compiled core. One line per class or function; each crate's stub is in koord/_stubs."""

from koord._stubs.allocation import NodeCpus as NodeCpus
from koord._stubs.histogram import Histogram as Histogram
from koord._stubs.metrics import Store as Store
from koord._stubs.metrics import Window as Window
from koord._stubs.placement import PlacementEngine as PlacementEngine
from koord._stubs.placement import PlacementError as PlacementError
from koord._stubs.placement import Placements as Placements
from koord._stubs.placement import SchedulingQueue as SchedulingQueue
from koord._stubs.probes import ProbeCapabilities as ProbeCapabilities
from koord._stubs.probes import ProbePiece as ProbePiece
from koord._stubs.probes import ProgramCost as ProgramCost
from koord._stubs.probes import capabilities as capabilities
from koord._stubs.probes import program_costs as program_costs
from koord._stubs.snapshot import Frame as Frame
from koord._stubs.snapshot import SignalSource as SignalSource
from koord._stubs.snapshot import SnapshotError as SnapshotError
from koord._stubs.snapshot import Snapshotter as Snapshotter

__version__: str

"""The compiled core. One line per crate; each crate's stub is in koord/_stubs."""

from koord._stubs.placement import PlacementEngine as PlacementEngine
from koord._stubs.placement import PlacementError as PlacementError
from koord._stubs.placement import Placements as Placements
from koord._stubs.placement import SchedulingQueue as SchedulingQueue

__version__: str

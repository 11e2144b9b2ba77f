"""The compiled core. One line per class or function; each crate's stub is in koord/_stubs."""

from koord._stubs.metrics import Store as Store
from koord._stubs.metrics import Window as Window
from koord._stubs.placement import PlacementEngine as PlacementEngine
from koord._stubs.placement import PlacementError as PlacementError
from koord._stubs.placement import Placements as Placements
from koord._stubs.placement import SchedulingQueue as SchedulingQueue

__version__: str

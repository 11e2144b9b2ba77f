"""The compiled core. One line per class or function; each crate's stub is in koord/_stubs."""

from koord._stubs.histogram import Histogram as Histogram
from koord._stubs.metrics import Store as Store
from koord._stubs.metrics import Window as Window

__version__: str

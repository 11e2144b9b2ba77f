"""The compiled core. One line per crate; each crate's stub is in koord/_stubs."""

from koord._stubs.snapshot import Frame as Frame
from koord._stubs.snapshot import SignalSource as SignalSource
from koord._stubs.snapshot import SnapshotError as SnapshotError
from koord._stubs.snapshot import Snapshotter as Snapshotter

__version__: str

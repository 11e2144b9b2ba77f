"""The compiled core. One line per crate; each crate's stub is in koord/_stubs."""

__version__: str

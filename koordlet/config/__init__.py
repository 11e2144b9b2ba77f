"""Flags, feature gates and what follows from them."""

"""Batch and mid resources of a node: pure formulas from metrics, pods and strategy to quantities."""

"""Workloads: the owners of pods."""

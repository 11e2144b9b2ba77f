"""Collectors: fill the metric store and the latest observation; they never decide anything."""

"""Kinds of scheduling.koordinator.sh."""

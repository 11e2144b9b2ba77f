"""Kinds of quota.koordinator.sh."""

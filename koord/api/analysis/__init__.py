"""Kinds of analysis.koordinator.sh."""

"""Kinds of config.koordinator.sh."""

"""Kinds of slo.koordinator.sh: what the node agent enforces and reports."""

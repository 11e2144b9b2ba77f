"""Kinds of topology.node.k8s.io."""

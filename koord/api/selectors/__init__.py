"""Matching of labels, nodes and taints, as Kubernetes does it."""

"""Kinds of scheduling.sigs.k8s.io."""

"""Kinds of Kubernetes itself, with the fields that components need; the rest is carried."""

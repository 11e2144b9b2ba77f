"""Koord: QoS for Kubernetes nodes shared by latency-sensitive and best-effort work."""

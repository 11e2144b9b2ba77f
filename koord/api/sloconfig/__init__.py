"""The ConfigMap `slo-controller-config`: its documents, defaults, overlay rules, and what they mean for one node."""

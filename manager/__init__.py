"""koord-manager: controllers that keep node resources, metrics and policies, and the admission webhooks."""

"""What the agent shows: Prometheus metrics, health, state, and the table for people."""

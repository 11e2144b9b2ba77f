"""`koord sim`: the scheduler's engine and configuration on recorded or made-up arrivals, without an API server."""

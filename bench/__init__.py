"""One file per measured promise, run as `python -m bench NAME [--json]`; never in the wheel, never a timed test."""

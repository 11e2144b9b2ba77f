"""Measured promises, run as `python -m bench NAME [--json]`; never in the wheel."""

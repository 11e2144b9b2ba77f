"""Commands of the build, run as `python -m tools.NAME`; never in the wheel."""

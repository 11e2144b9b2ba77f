"""The table of a node's cgroups: where it comes from, what of it is shown, in which order, and how it looks."""

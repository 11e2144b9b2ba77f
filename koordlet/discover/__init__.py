"""What a cgroup is, from its path alone."""

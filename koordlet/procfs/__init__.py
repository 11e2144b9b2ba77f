"""Files of /proc and /sys: from their bytes to values, nothing else."""

"""What this kernel and machine offer, as a report."""

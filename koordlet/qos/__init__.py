"""What the agent decides: each module turns a snapshot and a policy into desired values, with no I/O and no clock."""

"""What the agent knows: immutable facts derived from API objects once per change."""

"""Bridge of ori: opencode."""

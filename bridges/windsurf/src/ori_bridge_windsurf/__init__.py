"""Bridge of ori: Windsurf."""

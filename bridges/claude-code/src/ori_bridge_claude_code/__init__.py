"""Bridge of ori: Claude Code."""

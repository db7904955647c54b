"""Bridge of ori: Codex."""

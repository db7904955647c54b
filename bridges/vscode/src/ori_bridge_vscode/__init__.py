"""Bridge of ori: VS Code."""

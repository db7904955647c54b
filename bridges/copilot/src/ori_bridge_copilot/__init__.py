"""Bridge of ori: GitHub Copilot CLI."""

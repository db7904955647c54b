"""Bridge of ori: Gemini CLI."""

"""Bridge of ori: Hermes Agent."""

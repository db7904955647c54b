"""Bridge of ori: Cline."""

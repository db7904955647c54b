"""Bridge of ori: Zed."""

"""Bridge of ori: goose."""

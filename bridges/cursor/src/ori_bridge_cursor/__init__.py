"""Bridge of ori: Cursor."""

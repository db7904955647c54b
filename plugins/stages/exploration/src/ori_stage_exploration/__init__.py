"""Stage exploration: now and then a note that nobody asked for, marked as such."""

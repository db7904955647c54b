"""Stage diversity: notes that say the same do not fill a list."""

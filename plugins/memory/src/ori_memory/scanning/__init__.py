"""Which files of a vault are notes, seen without opening any."""

"""The commands of ori; each is found through its entry point and is a thin face over the library."""

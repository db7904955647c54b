"""Which files of a folder belong to the project, and what they say as text."""

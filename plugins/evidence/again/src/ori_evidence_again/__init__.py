"""Evidence again: a note is asked for again, by a different question."""

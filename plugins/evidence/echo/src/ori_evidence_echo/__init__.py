"""Evidence echo: an answer repeats what a note says."""

"""Java for the code graph of aries."""

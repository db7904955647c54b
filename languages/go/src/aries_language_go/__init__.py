"""Go for the code graph of aries."""

"""Python for the code graph of aries."""

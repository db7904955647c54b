"""C++ for the code graph of aries."""

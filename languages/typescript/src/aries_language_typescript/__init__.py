"""TypeScript for the code graph of aries."""

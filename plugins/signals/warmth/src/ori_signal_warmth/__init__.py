"""Signal warmth: notes that were of use lately."""

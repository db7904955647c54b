"""JavaScript for the code graph of aries, and what its dialects share."""

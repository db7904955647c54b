"""Which model is asked: slots and their fallbacks, names, switching, and what it cost."""

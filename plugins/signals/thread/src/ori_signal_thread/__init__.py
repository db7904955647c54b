"""The signal `thread`: who speaks, and what the rest of the session is about."""

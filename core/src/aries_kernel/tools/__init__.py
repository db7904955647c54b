"""Tools of a session: their schemas, their registry."""

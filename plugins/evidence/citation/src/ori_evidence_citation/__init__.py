"""Evidence citation: a later note or answer links to a note, or names it."""

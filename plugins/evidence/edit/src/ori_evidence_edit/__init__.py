"""Evidence edit: somebody goes on writing at a note that was found."""

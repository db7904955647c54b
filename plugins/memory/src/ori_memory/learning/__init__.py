"""What use of notes teaches: noticed while it happens, kept as a journal, counted once."""

"""Links between notes: found, resolved, rewritten, suggested."""

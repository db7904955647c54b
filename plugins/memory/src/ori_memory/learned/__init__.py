"""What was learned from use and cannot be derived again: access counts, activation boosts, new connections."""

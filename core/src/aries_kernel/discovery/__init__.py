"""Finding plugins without importing them, and loading them when they are needed."""

"""Settings: one schema, several layers, every value with its origin."""

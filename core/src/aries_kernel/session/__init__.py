"""The session log: append-only JSON lines, locked by its owner, resumed exactly."""

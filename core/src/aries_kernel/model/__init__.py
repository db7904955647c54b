"""Frozen values that cross borders: messages, stream pieces, usage, what happened in a turn."""

"""Moonshot: Kimi, with a dialect of its own for schemas and ids that repeat."""

__all__: list[str] = []

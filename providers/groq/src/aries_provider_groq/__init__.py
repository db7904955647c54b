"""Groq: open models, with reasoning in a field of its own."""

__all__: list[str] = []

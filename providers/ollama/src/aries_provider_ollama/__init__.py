"""Ollama's own interface, with a window that is asked for."""

__all__: list[str] = []

"""Google's Gemini over its own wire format."""

__all__: list[str] = []

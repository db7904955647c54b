"""OpenAI's Responses, the second wire format of this provider."""

__all__: list[str] = []

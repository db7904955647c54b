"""Anthropic's Messages, and every server that speaks it."""

__all__: list[str] = []

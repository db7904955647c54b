"""OpenRouter: the models of many vendors behind one key."""

__all__: list[str] = []

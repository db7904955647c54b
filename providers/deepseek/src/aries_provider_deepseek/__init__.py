"""DeepSeek: models that think by default, and want to see their reasoning again."""

__all__: list[str] = []

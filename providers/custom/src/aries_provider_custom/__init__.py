"""Any server that speaks Chat Completions, from the settings alone."""

__all__: list[str] = []

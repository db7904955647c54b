"""llama.cpp's server: asked as a provider, started and stopped by `aries local`."""

__all__: list[str] = []

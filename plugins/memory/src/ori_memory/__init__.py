"""Memory that an agent keeps: markdown notes with links in a folder you own."""

__all__ = ["__version__"]

__version__ = "0.1.0"

"""The kernel that aries, ori and every plugin share."""

__all__ = ["__version__"]

__version__ = "0.1.0"

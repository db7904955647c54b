"""Where indexes of this machine are kept."""

from __future__ import annotations

from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder() -> Path:
    """The platform's cache folder of aries; whatever is in it may be deleted."""
    import platformdirs

    return platformdirs.user_cache_path("aries", appauthor=False)

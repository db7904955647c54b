"""Where what may be deleted at any time is kept outside of vaults."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder() -> Path:
    """The platform's folder for caches, ori's part of it; it may not be there yet."""
    if sys.platform == "linux":
        # platformdirs says the same, but its import would be a twentieth of the time of a quick question.
        given = os.environ.get("XDG_CACHE_HOME", "")
        return (Path(given) if given.strip() else Path.home() / ".cache") / "ori"
    import platformdirs

    return platformdirs.user_cache_path("ori", appauthor=False)

"""Fixtures of these tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from web_site import context, site, tool

__all__ = ["context", "site", "tool"]

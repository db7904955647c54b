"""BLAKE2 and SHA-256 without OpenSSL, which hashlib loads when it is imported: 3 of a cold question's 150 ms."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["blake2b", "sha256"]

if TYPE_CHECKING:
    from hashlib import blake2b, sha256
else:
    try:
        blake2b = import_module("_blake2").blake2b
        sha256 = import_module("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256
    except ImportError:  # Not every Python has them by themselves.
        from hashlib import blake2b, sha256

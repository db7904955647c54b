"""The dialect of scripts."""

from __future__ import annotations

from aries_language_javascript.definitions import HANDLERS
from aries_language_javascript.dialect import Dialect
from aries_language_javascript.mending import mended_scripts

__all__ = ["SCRIPT"]

SCRIPT = Dialect(
    language="javascript",
    package="tree_sitter_javascript",
    function="language",
    queries=(("aries_language_javascript", "javascript.scm"),),
    handlers=HANDLERS,
    mend=mended_scripts,
)

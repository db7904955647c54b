"""How TypeScript is written."""

from __future__ import annotations

import attrs

from aries_language_javascript.lexis import LEXIS as JAVASCRIPT

__all__ = ["LEXIS"]

# What else TypeScript calls keywords may be names (`type`, `readonly`, `declare`).
LEXIS = attrs.evolve(
    JAVASCRIPT, keywords=JAVASCRIPT.keywords | {"enum", "implements", "interface"}, has_optional_types=True
)

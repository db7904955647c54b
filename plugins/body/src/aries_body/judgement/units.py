"""What is compared with what: functions, and types that have none."""

from __future__ import annotations

from collections.abc import Sequence

from aries_kernel.contracts import Symbol

__all__ = ["FUNCTIONS", "TYPES", "units_of"]

FUNCTIONS = frozenset({"function", "method", "macro"})
TYPES = frozenset({"class", "struct", "interface", "trait", "enum", "type"})


def units_of(symbols: Sequence[Symbol]) -> list[int]:
    """Places of the symbols that code is compared by, in order."""
    has_functions = set()
    for symbol in symbols:
        if symbol.kind in FUNCTIONS:
            parent = symbol.parent
            while parent >= 0 and parent not in has_functions:
                has_functions.add(parent)
                parent = symbols[parent].parent
    return [
        place
        for place, symbol in enumerate(symbols)
        if symbol.kind in FUNCTIONS or (symbol.kind in TYPES and place not in has_functions)
    ]

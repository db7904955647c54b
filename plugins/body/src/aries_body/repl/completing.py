"""Completion of names, within the namespace that user code sees."""

from __future__ import annotations

import re
import rlcompleter
from collections.abc import Mapping
from typing import Any

__all__ = ["completions"]

_MOST = 200
_WORD = re.compile(r"[\w.]*$")


def completions(namespace: Mapping[str, Any], text: str) -> list[str]:
    """What the last word of `text` may become. Looks at attributes, so it may run code of user classes."""
    found = _WORD.search(text)
    word = found[0] if found else ""
    completer = rlcompleter.Completer(dict(namespace))
    matches: list[str] = []
    for state in range(_MOST):
        match = completer.complete(word, state) if word else None
        if match is None:
            break
        matches.append(match)
    return sorted(dict.fromkeys(matches))

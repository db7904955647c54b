"""Which tool a server's refusal of a request is about: one bad schema must not cost the others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aries_provider_http.faults import Fault

__all__ = ["refused_tool"]

_PLACES = (
    re.compile(r"function_?declarations\[(\d{1,4})\]", re.IGNORECASE),  # inside tools[0], so looked for first
    re.compile(r"\btools?[.\[](\d{1,4})\b", re.IGNORECASE),
)
_ABOUT_TOOLS = re.compile(
    r"schema|function_?declarations|input_schema|parameters|\btools?\b.{0,40}(?:invalid|name|description|type)"
    r"|(?:invalid|unsupported).{0,40}\b(?:tool|function)\b",
    re.IGNORECASE | re.DOTALL,
)


def refused_tool(fault: Fault, names: Sequence[str]) -> int | None:
    """The place among `names` (as they were sent) of the tool that a 400 or 422 complains about; None where it names
    none of them.
    """
    words = f"{fault.param} {fault.words}"
    if fault.status not in (400, 422) or not _ABOUT_TOOLS.search(words):
        return None
    for pattern in _PLACES:
        if match := pattern.search(words):
            place = int(match.group(1))
            return place if place < len(names) else None
    quoted = [index for index, name in enumerate(names) if re.search(rf"['\"`]{re.escape(name)}['\"`]", words)]
    return quoted[0] if len(quoted) == 1 else None

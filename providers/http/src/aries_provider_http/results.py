"""Results and what the person said, as the texts that every wire format carries."""

from __future__ import annotations

from aries_kernel.model.messages import ResultStatus, ToolResult

__all__ = ["LOST_RESULT", "NO_TEXT", "orphan_text", "result_text"]

NO_TEXT = "(no text)"
"""Servers refuse a message without a text."""
LOST_RESULT = "[interrupted: no result was recorded, it may have had effects]"
"""Servers refuse a history where a call has no result."""
_MARKS = {
    ResultStatus.ERROR: "[error]",
    ResultStatus.REFUSED: "[refused]",
    ResultStatus.NOT_RUN: "[not run]",
    ResultStatus.INTERRUPTED: "[interrupted: it may have had effects]",
}


def result_text(result: ToolResult) -> str:
    """What the model reads of a result."""
    mark = _MARKS.get(result.status)
    text = result.text if result.text.strip() else ""
    return f"{mark} {text}".rstrip() if mark else text or "(no output)"


def orphan_text(result: ToolResult) -> str:
    """A result whose call is not in the history: it may be told as a text only."""
    return f"Result of an earlier call of {result.name}:\n{result_text(result)}"

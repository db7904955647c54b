"""What a command prints: one JSON document, or text for a person."""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from aries_kernel.tools.output import escape_controls

__all__ = ["plain", "print_answer", "print_failure"]


def print_answer(
    data: object, *, as_json: bool, text: Callable[[], str], warnings: Sequence[str] = (), success: bool = True
) -> None:
    """Print `{success, data, warnings}`, or `text()` with the warnings on standard error."""
    if as_json:
        _print({"success": success, "data": data, "warnings": list(warnings)})
        return
    shown = text()
    sys.stdout.write(shown if shown.endswith("\n") or not shown else shown + "\n")
    for warning in warnings:
        sys.stderr.write(f"ori: {escape_controls(warning)}\n")


def print_failure(message: str) -> None:
    """The document of a command that failed; the message is on standard error too."""
    _print({"success": False, "data": None, "error": message, "warnings": []})


def _print(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, default=_plain) + "\n")


def plain(data: object) -> Any:
    """Values as JSON knows them: dates as ISO texts, paths with forward slashes."""
    return json.loads(json.dumps(data, default=_plain))


def _plain(value: object) -> Any:
    """One level of what JSON does not know: importing cattrs would take longer than most commands do."""
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, Path):
        return value.as_posix()
    kind = type(value)
    if attrs.has(kind):
        return {one.name: getattr(value, one.name) for one in attrs.fields(kind)}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"an answer holds a {kind.__name__}")

"""What a command prints: one JSON document, or text for a person."""

from __future__ import annotations

import datetime
import functools
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cattrs import Converter

from aries_kernel.tools.output import escape_controls

__all__ = ["plain", "print_answer", "print_failure"]


def print_answer(
    data: object, *, as_json: bool, text: Callable[[], str], warnings: Sequence[str] = (), success: bool = True
) -> None:
    """Print `{success, data, warnings}`, or `text()` with the warnings on standard error."""
    if as_json:
        _print({"success": success, "data": plain(data), "warnings": list(warnings)})
        return
    shown = text()
    sys.stdout.write(shown if shown.endswith("\n") or not shown else shown + "\n")
    for warning in warnings:
        sys.stderr.write(f"ori: {escape_controls(warning)}\n")


def print_failure(message: str) -> None:
    """The document of a command that failed; the message is on standard error too."""
    _print({"success": False, "data": None, "error": message, "warnings": []})


def _print(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def plain(data: object) -> Any:
    """Values as JSON knows them: dates as ISO texts, paths with forward slashes."""
    return _converter().unstructure(data)


@functools.cache
def _converter() -> Converter:
    made = Converter()
    made.register_unstructure_hook(datetime.datetime, lambda value: value.isoformat(timespec="seconds"))
    made.register_unstructure_hook(datetime.date, lambda value: value.isoformat())
    made.register_unstructure_hook(Path, lambda value: value.as_posix())
    return made

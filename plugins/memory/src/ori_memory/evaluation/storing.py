"""Evaluations in files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cattrs import Converter
from cattrs.errors import BaseValidationError

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError
from ori_memory.answer import plain
from ori_memory.evaluation.result import Evaluation

__all__ = ["as_data", "compact_json", "read_evaluations", "save_evaluation"]

_INNERMOST = re.compile(r'(?:\{|\[)\n(?:\s+(?:"[\w@]+": )?-?[\d.e-]+,?\n)+\s*(?:\}|\])')
"""Numbers only: texts keep their blanks."""


def as_data(result: Evaluation, *, with_values: bool = True) -> dict[str, Any]:
    """As JSON; `with_values`: with the metrics of each question, which a gate compares pair by pair."""
    data: dict[str, Any] = plain(result)
    if not with_values:
        del data["values"]
    return data


def compact_json(data: object) -> str:
    """JSON with one line for each innermost object and list, so that a result can be read and compared by eye."""
    return _INNERMOST.sub(_joined, json.dumps(data, ensure_ascii=False, indent=2)) + "\n"


def _joined(found: re.Match[str]) -> str:
    line = " ".join(found[0].split())
    return f"{line[0]}{line[1:-1].strip()}{line[-1]}"


def save_evaluation(result: Evaluation, path: Path) -> None:
    """Raises: UserError where it cannot be written."""
    text = compact_json(as_data(result))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(path.resolve(), text.encode("utf-8"))
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from error


def read_evaluations(path: Path) -> tuple[Evaluation, ...]:
    """What `--save` or `bench/retrieval.py` wrote.

    Raises: UserError.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        rows = data["sets"] if isinstance(data, Mapping) and "sets" in data else [data]
        return tuple(Converter().structure(row, Evaluation) for row in rows)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, TypeError, KeyError, BaseValidationError) as error:
        raise UserError(f"{path} is no result of ori eval --save: {error}.") from error

"""Whether a file still parses after an edit."""

from __future__ import annotations

import ast
import json
import threading
import tomllib
import warnings
from collections.abc import Callable, Mapping

__all__ = ["broken_by"]

_LARGEST = 1_000_000
_WARNINGS = threading.Lock()
"""Filters of warnings belong to the whole process."""


def broken_by(suffix: str, old: bytes, new: bytes) -> str | None:
    """Why `new` does not parse where `old` did; None where it does, or nobody can tell."""
    parse = _PARSERS.get(suffix.lower())
    if parse is None or max(len(old), len(new)) > _LARGEST or not old.strip():
        return None
    problem = _problem(parse, new)
    return problem if problem and _problem(parse, old) is None else None


def _problem(parse: Callable[[bytes], object], data: bytes) -> str | None:
    try:
        parse(data)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}" if error.lineno else error.msg
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or type(error).__name__
    return None


def _parse_python(data: bytes) -> None:
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(data)


def _parse_toml(data: bytes) -> None:
    tomllib.loads(data.decode("utf-8"))


_PARSERS: Mapping[str, Callable[[bytes], object]] = {
    ".py": _parse_python,
    ".pyi": _parse_python,
    ".json": json.loads,
    ".toml": _parse_toml,
}

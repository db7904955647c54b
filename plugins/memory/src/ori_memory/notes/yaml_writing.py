"""Values written so that every reader of YAML 1.1 and 1.2 reads the same back."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterable, Mapping
from typing import TypeGuard

from ori_memory.notes.scalars import Plain, Raw

__all__ = ["Unwritable", "as_list", "flow_text", "is_list", "is_same", "scalar_text"]

# Letters first, and no sign that means anything to any reader; everything else is quoted.
_PLAIN = re.compile(r"[^\W\d_](?:[\w./+'&;()-]|,(?! ?$)|[ ](?=\S))*")
_PLAIN_IN_FLOW = re.compile(r"[^\W\d_](?:[\w./+-]|[ ](?=\S))*")
_WORDS_WITH_MEANING = frozenset(("yes", "no", "on", "off", "y", "n", "true", "false", "null", "nan", "inf"))
_ESCAPED = re.compile(
    r"""["\\\x00-\x1f\x7f-\x9f\u1680\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufffe\uffff]"""
)
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Unwritable(ValueError):
    """A value that frontmatter cannot hold."""


def scalar_text(value: object, quote: str = "", in_flow: bool = False) -> str:
    """A single value on one line. `quote`: the quotes the old value had, kept where they can hold the new one.

    Raises:
        Unwritable: the value is of no kind that YAML has, or holds half a character.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(str(value), quote, in_flow)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    raise Unwritable(f"a value of the kind {type(value).__name__}; use text, numbers, dates, lists or mappings")


def flow_text(value: object) -> str:
    """Any value, lists and mappings too, on one line in brackets."""
    if isinstance(value, Mapping):
        pairs = (f"{_text(str(key), chr(34), True)}: {flow_text(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if is_list(value):
        return "[" + ", ".join(flow_text(item) for item in value) + "]"
    return scalar_text(value, in_flow=True)


def is_list(value: object) -> TypeGuard[Iterable[object]]:
    """Whether the value is written as a list."""
    return isinstance(value, (list, tuple, set, frozenset))


def as_list(value: Iterable[object]) -> list[object]:
    """The items, sets in order of their text."""
    return sorted(value, key=str) if isinstance(value, (set, frozenset)) else list(value)


def is_same(raw: Raw, value: object, strictly: bool = False) -> bool:
    """Whether what is written means `value`. `strictly`: for readers of YAML 1.1 as well."""
    if isinstance(value, Mapping):
        same_keys = isinstance(raw, dict) and list(raw) == [str(key) for key in value]
        return same_keys and all(is_same(raw[str(key)], item, strictly) for key, item in value.items())  # type: ignore[index,call-overload]
    if is_list(value):
        items = as_list(value)
        return (
            isinstance(raw, list)
            and len(raw) == len(items)
            and all(is_same(one, other, strictly) for one, other in zip(raw, items, strict=True))
        )
    return not isinstance(raw, (list, dict)) and _is_same_scalar(raw, value, strictly)


def _is_same_scalar(raw: str, value: object, strictly: bool) -> bool:
    if isinstance(value, str):
        return raw == value and (not isinstance(raw, Plain) or not strictly or _text(value, "", False) == raw)
    if not isinstance(raw, Plain):
        return False
    if value is None:
        return raw in ("null", "~", "", "Null", "NULL")
    return str(raw) == scalar_text(value)


def _text(text: str, quote: str, in_flow: bool) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise Unwritable("half of a character (a lone surrogate), which no file can hold")
    if not quote:
        plain = _PLAIN_IN_FLOW if in_flow else _PLAIN
        if plain.fullmatch(text) is not None and text.lower() not in _WORDS_WITH_MEANING:
            return text
    if quote == "'" and _ESCAPED.search(text.replace('"', "").replace("\\", "")) is None:
        return "'" + text.replace("'", "''") + "'"
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    short = _SHORT.get(character)
    if short is not None:
        return short
    return f"\\x{ord(character):02x}" if ord(character) < 0x100 else f"\\u{ord(character):04x}"


def _float(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    # YAML 1.1 wants a point in a number with an exponent.
    return text.replace("e", ".0e", 1) if "e" in text and "." not in text else text

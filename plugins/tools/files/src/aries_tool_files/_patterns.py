"""Glob patterns and lines of ignore files as regular expressions over paths with forward slashes."""

from __future__ import annotations

import re

from attrs import frozen

from aries_kernel.errors import ToolFailed

__all__ = ["IgnoreRule", "glob_regex", "parse_ignore_line"]

_MOST_ALTERNATIVES = 1_000
_POSIX = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9",
    "graph": "\\x21-\\x7e", "lower": "a-z", "print": "\\x20-\\x7e", "punct": "!-/:-@\\[-`{-~", "space": "\\s",
    "upper": "A-Z", "xdigit": "0-9A-Fa-f",
}  # fmt: skip


class _Unmatchable(Exception):
    """The pattern is malformed, so nothing matches it."""


@frozen
class IgnoreRule:
    """One line of an ignore file."""

    regex: re.Pattern[str]
    is_negated: bool
    only_folders: bool
    by_name: bool
    """True: compared with the name alone, False: with the path from the ignore file's folder."""

    def matches(self, path: str, name: str, is_folder: bool) -> bool:
        if self.only_folders and not is_folder:
            return False
        return self.regex.fullmatch(name if self.by_name else path) is not None


def parse_ignore_line(line: str) -> IgnoreRule | None:
    """The rule a line of `.gitignore` stands for; None for comments, blank and malformed lines."""
    text = _without_trailing_spaces(line)
    if not text or text.startswith("#"):
        return None
    is_negated = text.startswith("!")
    text = text[is_negated:]
    only_folders = text.endswith("/")
    text = text[: len(text) - only_folders]
    by_name = "/" not in text
    text = text.removeprefix("/")
    if not text:
        return None
    try:
        regex = re.compile(_translate(text), re.DOTALL)
    except (_Unmatchable, re.error):
        return None
    return IgnoreRule(regex, is_negated, only_folders, by_name)


def _without_trailing_spaces(line: str) -> str:
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if backslashes % 2 and len(stripped) < len(line) else stripped


def glob_regex(pattern: str) -> re.Pattern[str]:
    """A whole-path expression for a glob with `*`, `**`, `?`, `[...]` and nested `{a,b}`.

    Raises: ToolFailed for a malformed one.
    """
    try:
        alternatives = _expand(pattern)
        return re.compile("|".join(f"(?:{_translate(one)})" for one in alternatives), re.DOTALL)
    except (_Unmatchable, re.error) as error:
        raise ToolFailed(f"The glob {pattern!r} is malformed: {error}.") from error


def _expand(pattern: str) -> list[str]:
    """Alternatives in braces, multiplied out; a brace without a comma or a partner is literal."""
    done: list[str] = []
    waiting = [("", pattern)]
    while waiting:
        before, rest = waiting.pop()
        opened = _find_brace(rest)
        if opened is None:
            done.append(before + rest)
        else:
            start, stop, parts = opened
            waiting += [(before + rest[:start], part + rest[stop:]) for part in reversed(parts)]
        if len(done) + len(waiting) > _MOST_ALTERNATIVES:
            raise _Unmatchable(f"its braces stand for more than {_MOST_ALTERNATIVES:,} patterns")
    return done


def _find_brace(text: str) -> tuple[int, int, list[str]] | None:
    """The first brace with alternatives: where it starts, where it stops, what is in it."""
    index = 0
    while index < len(text):
        if text[index] == "\\":
            index += 1
        elif text[index] == "[":
            index = _class_end(text, index) or index
        elif text[index] == "{":
            parts, stop = _brace_parts(text, index)
            if len(parts) > 1:
                return index, stop, parts
        index += 1
    return None


def _brace_parts(text: str, start: int) -> tuple[list[str], int]:
    parts: list[str] = []
    depth, begin, index = 0, start + 1, start
    while index < len(text):
        char = text[index]
        if char == "\\":
            index += 1
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if not depth:
                return [*parts, text[begin:index]], index + 1
        elif char == "," and depth == 1:
            parts.append(text[begin:index])
            begin = index + 1
        index += 1
    return [], start


def _translate(pattern: str) -> str:
    out: list[str] = []
    index = 0
    while index < len(pattern):
        char = pattern[index]
        if char == "*":
            stop = index + len(pattern[index:]) - len(pattern[index:].lstrip("*"))
            text, index = _stars(pattern, index, stop)
            out.append(text)
            continue
        if char == "[":
            end = _class_end(pattern, index)
            if end is None:
                raise _Unmatchable("a '[' is never closed")
            out.append(_character_class(pattern[index + 1 : end]))
            index = end
        elif char == "\\":
            index += 1
            if index == len(pattern):
                raise _Unmatchable("it ends with a backslash")
            out.append(re.escape(pattern[index]))
        else:
            out.append("[^/]" if char == "?" else re.escape(char))
        index += 1
    return "".join(out)


def _stars(pattern: str, start: int, stop: int) -> tuple[str, int]:
    """What the stars from `start` to `stop` mean, and where the pattern goes on."""
    is_component = (start == 0 or pattern[start - 1] == "/") and (stop == len(pattern) or pattern[stop] == "/")
    if stop - start != 2 or not is_component:
        return "[^/]*", stop
    if stop == len(pattern):
        return (".+" if start else ".*"), stop
    return "(?:.*/)?", stop + 1


def _class_end(pattern: str, start: int) -> int | None:
    index = start + 1
    if index < len(pattern) and pattern[index] in "!^":
        index += 1
    first = index
    while index < len(pattern):
        char = pattern[index]
        if char == "]" and index > first:
            return index
        if char == "\\":
            index += 1
        elif pattern.startswith("[:", index):
            closed = pattern.find(":]", index + 2)
            index = closed + 1 if closed > 0 else index
        index += 1
    return None


def _character_class(body: str) -> str:
    is_negated = body[0] in "!^"
    index = int(is_negated)
    items: list[str] = []
    while index < len(body):
        if body.startswith("[:", index) and ":]" in body[index + 2 :]:
            stop = body.index(":]", index + 2)
            name = body[index + 2 : stop]
            if name not in _POSIX:
                raise _Unmatchable(f"there is no class [:{name}:]")
            items.append(_POSIX[name])
            index = stop + 2
            continue
        low, index = _one(body, index)
        if index < len(body) - 1 and body[index] == "-":
            high, index = _one(body, index + 1)
            if low <= high:
                items.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            items.append(re.escape(low))
    inner = "".join(items)
    if is_negated:
        return f"[^/{inner}]"
    return f"(?!/)[{inner}]" if inner else "(?!)"


def _one(body: str, index: int) -> tuple[str, int]:
    if body[index] == "\\" and index + 1 < len(body):
        index += 1
    return body[index], index + 1

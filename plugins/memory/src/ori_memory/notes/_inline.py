"""Code, formulas and comments within one paragraph."""

from __future__ import annotations

import re
from bisect import bisect_left

__all__ = ["inline_code"]

# A wiki-link is one piece for formulas and comments (a name may hold `$`), but backticks win over it, as in CommonMark.
_TOKEN = re.compile(r"\\.|`+|<!--|<%|%%|\$\$|\$|\[\[[^\[\]\n`]*\]\]", re.DOTALL)
_RUN = re.compile(r"`+")
_FORMULA = re.compile(r"\$(?![\s$])[^$\n]*(?<![\s\\])\$(?!\d)")
_CLOSERS = {"<!--": "-->", "<%": "%>", "%%": "%%", "$$": "$$"}


def inline_code(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Stretches of text[start:end], one paragraph, that are no prose."""
    return _Paragraph(text, start, end).spans()


class _Paragraph:
    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._start, self._end = text, start, end
        self._runs: dict[int, list[int]] | None = None
        self._unclosed: set[str] = set()

    def spans(self) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        position = self._start
        while (token := _TOKEN.search(self._text, position, self._end)) is not None:
            close = self._close_of(token.group(), token.start(), token.end())
            if close is None:
                position = token.end()
            else:
                found.append((token.start(), close))
                position = close
        return found

    def _close_of(self, sign: str, start: int, end: int) -> int | None:
        if sign[0] == "`":
            return self._close_of_run(len(sign), end)
        if sign == "$":
            formula = _FORMULA.match(self._text, start, self._end)
            return formula.end() if formula else None
        closer = _CLOSERS.get(sign)
        if closer is None or sign in self._unclosed:
            return None
        position = self._text.find(closer, end, self._end)
        if position < 0:
            # Looking again from each further opener would make a text full of them quadratic.
            self._unclosed.add(sign)
            return None
        return position + len(closer)

    def _close_of_run(self, length: int, after: int) -> int | None:
        if self._runs is None:
            self._runs = {}
            for run in _RUN.finditer(self._text, self._start, self._end):
                self._runs.setdefault(run.end() - run.start(), []).append(run.start())
        starts = self._runs.get(length, [])
        index = bisect_left(starts, after)
        return starts[index] + length if index < len(starts) else None

"""Where something belongs: files that are about the same, use the same names, and hold code like it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import frozen

from aries_body.judgement.naming import stem, words_of
from aries_body.judgement.profile import Profile, mark
from aries_kernel.contracts.lexis import words

if TYPE_CHECKING:
    from aries_body.judgement.snippets import Snippet  # It needs the library, which needs this.

__all__ = ["Atlas", "Suggestion", "Wanted", "wanted_of"]

_TOLD = 4
_PATH_TIMES = 2
"""A word of a path says as much as so many in the file."""
_FILLERS = words("a an and as at be by for from if in into is it of on or that the this to with which where")
_SATURATION = 1.2


class Wanted(NamedTuple):
    """What is looked for a place for."""

    words: Sequence[str]
    """What it is about."""
    names: Sequence[str]
    """What it uses; empty for a description."""


class Suggestion(NamedTuple):
    """A file and why."""

    path: str
    score: float
    reasons: tuple[str, ...]


def wanted_of(text: str, snippet: Snippet | None) -> Wanted:
    """From a description, or from code with its names."""
    if snippet is None:
        return Wanted(_distinct(words_of(text)), ())
    lexer = snippet.speaker.lexer
    symbols = snippet.facts.symbols
    about = [word for one in symbols if one.parent < 0 for word in words_of(f"{one.name} {one.doc}")]
    own = {one.name for one in symbols}
    names = [name for name in dict.fromkeys(lexer.names(lexer.words(snippet.text))) if name not in own]
    return Wanted(_distinct(about), names)


def _distinct(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(word for word in words if word not in _FILLERS and (len(word) > 1)))


@frozen(eq=False)
class _Postings:
    """Which files have a mark, and how often."""

    marks: Any
    files: Any
    times: Any
    total: int

    @classmethod
    def of(cls, rows: Sequence[tuple[Any, Any]]) -> _Postings:
        """From marks and times of each file."""
        import numpy as np

        files = np.repeat(np.arange(len(rows)), [len(marks) for marks, _ in rows])
        marks = np.concatenate([np.zeros(0, np.uint32), *(marks for marks, _ in rows)])
        times = np.concatenate([np.zeros(0), *(times for _, times in rows)])
        order = np.argsort(marks, kind="stable")
        return cls(marks[order], files[order], times[order], len(rows))

    def of_mark(self, value: int) -> tuple[Any, Any, float]:
        """Files, times, and how much the mark tells."""
        import numpy as np

        first, last = np.searchsorted(self.marks, [value], "left")[0], np.searchsorted(self.marks, [value], "right")[0]
        return self.files[first:last], self.times[first:last], math.log1p(self.total / max(1, last - first))


@frozen(eq=False)
class Atlas:
    """What every file is about and which names it uses."""

    paths: Sequence[str]
    terms: _Postings
    names: _Postings

    @classmethod
    def of(cls, profiles: Mapping[str, Profile]) -> Atlas:
        """Of all files."""
        import numpy as np

        paths = sorted(profiles)
        terms, names = [], []
        for path in paths:
            counted = dict(profiles[path].terms)
            for word in words_of(path):
                counted[mark(stem(word))] = counted.get(mark(stem(word)), 0) + _PATH_TIMES
            marks = np.fromiter(counted, np.uint32, len(counted))
            terms.append((marks, np.fromiter(counted.values(), float, len(counted))))
            names.append((profiles[path].names, np.ones(len(profiles[path].names))))
        return cls(paths, _Postings.of(terms), _Postings.of(names))

    def suggest(
        self, wanted: Wanted, alike: Mapping[str, tuple[float, str]], is_taken: Callable[[str], bool]
    ) -> list[Suggestion]:
        """Files, the likeliest first. `alike`: files with code like it, how much, and the name of that code."""
        import numpy as np

        about, told_about = self._share(self.terms, [(word, mark(stem(word))) for word in wanted.words], True)
        uses, told_uses = self._share(self.names, [(name, mark(name)) for name in wanted.names], False)
        forms = np.array([alike.get(path, (0.0, ""))[0] for path in self.paths])
        parts = [(about, 1.0)] if len(wanted.words) else []
        parts += [(uses, 1.5), (forms, 0.5)] if len(wanted.names) else []
        if not parts:
            return []
        score = sum(values * weight for values, weight in parts) / sum(weight for _, weight in parts)
        score = 0.85 * score + 0.15 * self._around(score)
        found = []
        for number in np.argsort(-score, kind="stable").tolist():
            path = self.paths[number]
            if score[number] <= 0:
                break
            if is_taken(path):
                like = alike.get(path, (0.0, ""))[1]
                reasons = _reasons(told_about(number), told_uses(number), like)
                if reasons:
                    found.append(Suggestion(path, min(1.0, float(score[number])), reasons))
        return found

    def _share(
        self, postings: _Postings, wanted: Sequence[tuple[str, int]], is_graded: bool
    ) -> tuple[Any, Callable[[int], list[str]]]:
        """For each file, how much of what is wanted it has; and what that is, the most telling first."""
        import numpy as np

        shares, total = np.zeros(len(self.paths)), 0.0
        rows: list[tuple[float, str, Any]] = []
        for text, value in wanted:
            files, times, telling = postings.of_mark(value)
            # A name that no file has is one of its own; a word that none has is what nothing here is about.
            total += telling if len(files) or is_graded else 0.0
            grade = times / (times + _SATURATION) if is_graded else 1.0
            shares[files] += telling * grade
            rows.append((telling, text, files))
        rows.sort(key=lambda row: -row[0])

        def told(number: int) -> list[str]:
            return [text for _, text, files in rows if number in files][:_TOLD]

        return (shares / total if total else shares), told

    def _around(self, score: Any) -> Any:
        """The mean of the best three files of the folder of each file."""
        import numpy as np

        folders: dict[str, list[int]] = {}
        for number, path in enumerate(self.paths):
            folders.setdefault(path.rpartition("/")[0], []).append(number)
        found = np.zeros(len(self.paths))
        for members in folders.values():
            found[members] = np.sort(score[members])[-3:].mean()
        return found


def _reasons(about: Sequence[str], uses: Sequence[str], like: str) -> tuple[str, ...]:
    found = []
    if about:
        found.append(f"is about {', '.join(about)}")
    if uses:
        found.append(f"uses {', '.join(uses)}")
    if like:
        found.append(f"has similar code: {like}")
    return tuple(found)

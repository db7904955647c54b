"""The evidence `echo`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import ClassVar

from aries_kernel.contracts.evidence import QuestionAsked, Use, UseJournal

__all__ = ["Echo"]

_RUN = 5
"""Words one after the other that are the same in both."""
_FEWEST = 4
"""Such runs that make an echo: eight words in one piece, or several shorter pieces."""
_MOST_NOTES = 2
_HEAD = re.compile(r"\A---\r?\n.*?^---\s*$", re.DOTALL | re.MULTILINE)
_WORD = re.compile(r"[^\W_]+")
_UNSEGMENTED = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])")


class Echo:
    """What an agent says repeats, word for word, what a note says that it was shown before.

    Words of the question do not count: those it would have repeated anyway. One answer echoes two notes at most, the
    ones it repeats most of.
    """

    name: ClassVar[str] = "echo"
    description: ClassVar[str] = "An answer repeats what the note says."
    weight: ClassVar[float] = 0.6

    def uses(self, journal: UseJournal) -> Iterable[Use]:
        runs: dict[str, set[tuple[str, ...]]] = {}
        found: dict[tuple[str, str], Use] = {}
        for said in journal.said:
            answered = _runs(said.text)
            asked = [one for one in journal.questions if one.at <= said.at]
            if not answered or not asked:
                continue
            by = f"said {_digest(said.text)}"
            known = {word for one in asked for word in one.words}
            for note in _echoed(journal, asked, answered, known, runs):
                found.setdefault((note, by), Use(note, said.session, said.at, by))
        return list(found.values())


def _echoed(
    journal: UseJournal,
    asked: Sequence[QuestionAsked],
    answered: set[tuple[str, ...]],
    known: set[str],
    runs: dict[str, set[tuple[str, ...]]],
) -> list[str]:
    """Notes that the answer repeats, the most repeated first."""
    shares: dict[str, int] = {}
    for id in dict.fromkeys(note for question in asked for note in question.brought):
        if id not in runs:
            note = journal.note(id)
            runs[id] = _runs(_HEAD.sub("", note.text)) if note is not None else set()
        shared = [run for run in runs[id] & answered if not known.issuperset(run)]
        if len(shared) >= _FEWEST:
            shares[id] = len(shared)
    return sorted(shares, key=lambda id: (-shares[id], id))[:_MOST_NOTES]


def _runs(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(_UNSEGMENTED.sub(r" \1 ", text.casefold()))
    return {tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1)}


def _digest(text: str) -> str:
    return blake2b(" ".join(text.split()).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

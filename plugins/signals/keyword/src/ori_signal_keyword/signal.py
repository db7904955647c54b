"""Words of a question in notes: BM25, pieces of words where stems do not help, and what was asked for literally."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from attrs import field, validators

from aries_kernel.contracts import Corpus, Question, Scores, Skipped
from aries_kernel.ranking import FOUND, best, spread_out
from aries_kernel.values import frozen

__all__ = ["Keyword", "Options"]

_MOST = 4 * FOUND
_PREFIX = 5
"""Letters of a long word that stand for all its forms, in a language whose stems nobody here knows."""
_BEGUN = 4
"""Letters from which on an unknown word may be the beginning of a longer one."""
_LONG = 400
"""Words of a note from which on it has more than one thing to say."""
_LOOKED_AT = 15
"""Long notes, the best first, in which places are looked for; the others count as the worst of these."""
_READ = 60_000
"""Words that are read for it, of all together, so that a shelf of books is answered as quickly as a vault of notes."""
_WORD = re.compile(r"[^\W_]+")
"""As questions have them: `snake_case` is two."""
_FEW_WORDS = 6
_SHORT = 60
_AROUND = " \t\n.?!,;:。？！"
_SPELLED_OUT = re.compile(r"([aou])e")
_MOST_EXACT = 20
"""Notes that hold a name; one that more hold is a word of the vault like others."""


def _share(default: float) -> Any:
    return field(default=default, validator=[validators.ge(0), validators.le(1)])


@frozen
class Options:
    """Settings of the signal."""

    window_share: float = _share(0.5)
    """How much of a note's score in a thread comes from its neighbours' words."""
    nearness: float = _share(0.8)
    """How much of a long note's score hangs on the words standing near each other in it."""


class Keyword:
    """BM25 over titles, headings and bodies."""

    name, role = "keyword", "vote"
    description = "words of the question, exact names and quoted phrases"
    options_type = Options

    def __init__(self, options: Options) -> None:
        self._options = options

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        """Notes that hold words of the question; `surest` are those that hold what was asked for literally."""
        if not question.words:
            return Skipped("the question has no words")
        raw = dict(corpus.rank_words(_asked(question, corpus), _MOST))
        inner = [word for word in question.words if not word.isascii()] + list(question.identifiers)
        for note, score in corpus.rank_pieces(inner, _MOST).items() if inner else ():
            raw[note] = raw.get(note, 0.0) + score
        if not raw:
            return Skipped("no note holds a word of the question")
        raw = _with_the_whole(question, corpus, self._near_each_other(question, corpus, raw))
        scores = self._with_neighbours(question, corpus, spread_out(raw))
        return Scores(scores, surest=_exact(question, corpus, raw))

    def _near_each_other(self, question: Question, corpus: Corpus, raw: dict[int, float]) -> dict[int, float]:
        """A talk of an hour holds most words of a question somewhere; one that answers it, in one place.

        In other languages the words that only hold a sentence together are not left out, and those stand everywhere.
        """
        share = self._options.nearness
        if share <= 0 or not question.is_english:
            return raw
        counting = dict(best(raw, FOUND))
        lengths = corpus.lengths(counting)
        long = {note: raw[note] for note, words in lengths.items() if words > _LONG}
        if not long:
            return raw
        # Most answers come without it.
        from ori_signal_keyword.nearness import nearness

        seen = [note for note, _ in best(long, _LOOKED_AT)]
        read = list(accumulate(lengths[note] for note in seen))
        seen = seen[: max(1, bisect_right(read, _READ))]
        near = nearness(corpus.texts(seen), corpus.rarity(question.words))
        least = min(near.values(), default=1.0)
        return raw | {note: score * (1 - share + share * near.get(note, least)) for note, score in long.items()}

    def _with_neighbours(self, question: Question, corpus: Corpus, own: dict[int, float]) -> dict[int, float]:
        around = spread_out(corpus.rank_windows(question.words, _MOST))
        if not around:
            return own
        share = self._options.window_share
        in_threads = corpus.places({*own, *around})
        mixed = {
            note: (1 - share) * own.get(note, 0.0) + share * around.get(note, 0.0) if note in in_threads else score
            for note, score in {**around, **own}.items()
        }
        return spread_out(mixed)


def _with_the_whole(question: Question, corpus: Corpus, raw: dict[int, float]) -> dict[int, float]:
    """Few words without a sentence are mostly a name, or a phrase somebody remembers.

    A long note that holds it once would stay behind short ones that hold a form of one of the words.
    """
    if question.phrases or not 1 < len(question.words) <= _FEW_WORDS or len(question.text) > _SHORT:
        return raw
    held = corpus.hold_phrase(question.text.strip(_AROUND), _MOST_EXACT + 1)
    if len(held) > _MOST_EXACT:
        return raw
    highest = max(raw.values())
    return raw | {note: raw.get(note, 0.0) + highest for note in held}


def _asked(question: Question, corpus: Corpus) -> Sequence[str]:
    if question.is_english:
        return [*question.words, *_begun(question.words, corpus)]
    words = [*question.words, *_with_dots(question, corpus)]
    long = [word for word in words if word.isalpha() and len(word) > _PREFIX]
    begun = [word[:_PREFIX] + "*" for word in long] + _begun(question.words, corpus)
    return [*words, *dict.fromkeys(begun)]


def _begun(words: Sequence[str], corpus: Corpus) -> list[str]:
    """`config` in notes that say configuration; of a word that notes hold its beginning is not asked for."""
    long = [word for word in words if len(word) >= _BEGUN and word.isalpha()]
    known = corpus.rarity(long) if long else {}
    return [f"{word}*" for word in long if word not in known]


def _with_dots(question: Question, corpus: Corpus) -> Sequence[str]:
    """`huelle` for Hülle, from a keyboard without the letter; the index knows letters without their dots."""
    spelled = [word for word in question.words if word.isascii() and _SPELLED_OUT.search(word)]
    known = corpus.rarity(spelled) if spelled else {}
    return [_SPELLED_OUT.sub(r"\1", word) for word in spelled if word not in known]


def _exact(question: Question, corpus: Corpus, raw: Mapping[int, float]) -> tuple[int, ...]:
    """Notes that hold the phrases and names of the question, the best first.

    A question that is nothing but names asks for all of them. Of a longer one the best must not be lost, where it
    quotes a phrase or says little beside the names; a name within a long question is one word among others.
    """
    literal = (*question.phrases, *question.identifiers)
    held = [set(corpus.hold_phrase(text, _MOST_EXACT + 1)) for text in literal]
    rare = [notes for notes in held if 0 < len(notes) <= _MOST_EXACT]
    if not rare or not (question.phrases or _says_most(question.identifiers, question, corpus)):
        return ()
    highest = max(raw.values())
    fit = {
        note: sum(note in notes for notes in rare) + raw.get(note, 0.0) / (1 + highest)
        for note in sorted(set().union(*rare))
    }
    is_all = sum(len(text.split()) for text in literal) >= len(question.text.split())
    return tuple(note for note, _ in best(fit, question.limit if is_all else 1))


def _says_most(names: Sequence[str], question: Question, corpus: Corpus) -> bool:
    """Whether these say half of what the question says, by the rarity of their words."""
    said = corpus.rarity(question.words)
    named = {word for text in names for word in _WORD.findall(text.lower())}
    return 2 * sum(says for word, says in said.items() if word in named) >= sum(said.values())

"""Notes that have something to do with another one."""

from __future__ import annotations

import math
from collections.abc import Collection

from aries_kernel.contracts import Corpus

__all__ = ["reach_of"]

_HUB = 10
"""A note with more links says less of where each leads."""


def reach_of(corpus: Corpus, notes: Collection[int], *, suggested: float, name: float) -> dict[int, dict[int, float]]:
    """Of each note the others that it is linked with or shares a name with, and how much that ties them, 0 to 1.

    A name says the less the more notes hold it. A note that reaches the whole vault leads nowhere; neither does what
    is said in a talk, where names are mentioned in passing and the neighbours are the context.
    """
    talk = corpus.places(notes)
    notes = [note for note in notes if note not in talk]
    found: dict[int, dict[int, float]] = {note: {} for note in [*talk, *notes]}
    named = corpus.entities(notes)
    holders = corpus.holders({key for keys in named.values() for key in keys})
    most = math.log(max(2, corpus.note_count))
    weights = {key: name * math.log(corpus.note_count / len(held)) / most for key, held in holders.items()}
    for note, keys in named.items():
        # The rarest name last: what it says of a note that holds several is what counts.
        for key in sorted((key for key in keys if key in weights), key=lambda key: weights[key]):
            found[note].update(dict.fromkeys(holders[key], weights[key]))
    for note, ties in corpus.ties(notes, with_context=False).items():
        passed = min(1.0, _HUB / len(ties))
        for tie in ties:
            weight = passed * tie.weight * (1.0 if tie.kind == "written" else suggested)
            found[note][tie.note] = max(weight, found[note].get(tie.note, 0.0))
    for note, others in found.items():
        others.pop(note, None)
        few = 1 - len(others) / corpus.note_count
        found[note] = {other: weight * few for other, weight in others.items()}
    return found

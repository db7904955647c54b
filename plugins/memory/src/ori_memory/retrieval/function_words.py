"""English words that hold a sentence together and say nothing about what it is about."""

from __future__ import annotations

__all__ = ["ENGLISH", "TELLING"]

_ENGLISH = (
    "a about after all also an and any are as at be because been before being between both but by can could did "
    "do does doing during each for from had has have having he her here hers him his how i if in into is it its "
    "itself just me more most my no nor not of off on once only or other our ours out over own same she should so "
    "some such than that the their theirs them then there these they this those through to too under until up us "
    "very was we were what when where which while who whom whose why will with would you your yours "
)
_TELLING = (
    "about after all and any are because been before being between but can could did does doing during each for "
    "from had has have having how i if into is it its itself just more most my not of off once only other our "
    "ours out over own she should some such than that the their theirs them then there these they this those "
    "through to too under until very we were what when where which while who whom whose why with would you your "
    "yours "
)

ENGLISH = frozenset(_ENGLISH.split())

TELLING = frozenset(_TELLING.split())
"""Those that are words of no other widely written language, but for chance: whoever types one writes English."""

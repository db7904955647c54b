"""English words that hold a sentence together and say nothing about what it is about."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["ENGLISH", "holds_english"]

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

_ASKING = (
    "wer wen wem wessen was wie wo wohin woher wann warum weshalb wieso welche welcher welches welchem welchen wieviel "
    "qui que quoi quel quelle quels quelles où quand comment pourquoi combien lequel laquelle "
    "qué quién quiénes cuál cuáles cómo cuándo dónde cuánto cuánta cuántos cuántas "
    "chi che cosa quale quali quando dove perché quanto quanta quanti quante "
    "quem qual quais onde quantos quantas wat waar wanneer waarom welke hoeveel "
    "vem vad vilken vilket vilka varför hvem hvad hvilken hvilket hvilke hvorfor hvornår "
    "kto kogo komu czym kiedy gdzie dlaczego który która które jaki jaka jakie ile "
    "кто кого кому что чем когда где куда откуда почему зачем какой какая какое какие каком который сколько "
    "kim ne nerede zaman neden niçin nasıl hangi kaç "
    "什么 为什 多少 哪个 哪些 哪里 哪种 哪一 如何 何时 何地 怎么 怎样 いつ どこ だれ なぜ どの どう "
    "कौन क्या कब कहाँ कहां क्यों कैसे किस किसने किसे किसको कितना कितने कितनी "
)

ENGLISH = frozenset(_ENGLISH.split())

ASKING = frozenset(_ASKING.split())
"""Words that ask, of widely written languages: a note that answers does not hold them."""

TELLING = frozenset(_TELLING.split())
"""Those that are words of no other widely written language, but for chance: whoever types one writes English."""


def holds_english(words: Sequence[str]) -> bool:
    """Whether English words hold it together, and not those of a name in a question that asks in another language."""
    foreign = [word for word in words if word in ASKING and word not in ENGLISH]
    # The word that asks mostly comes first.
    against = len(foreign) + bool(foreign and words[0] == foreign[0])
    return sum(word in TELLING for word in words) > against

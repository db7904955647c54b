"""What of a session may be worth keeping: sentences that decide, prefer, explain or ask to be remembered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import frozen

from ori_memory.hooks.transcripts import Said

__all__ = ["Claim", "claims_in"]

_FEWEST_WORDS, _LONGEST, _LONGEST_CONTEXT = 4, 320, 700
_SENTENCE = re.compile(r"(?<=[.!?。！？])[\"'”’)]*\s+|\n+")
_BULLET = re.compile(r"^\s*(?:[-*+•>]|\d+[.)]|#+)\s+|\*\*|__")
_WORD = re.compile(r"[^\W\d_]{2,}")
_STRONG = 3
_ASKED = re.compile(
    r"(?i)\b(?:please )?(?:remember|keep in mind|don'?t forget|do not forget|note)(?: that|:|,)\s|\bfor the record\b"
    r"|\bmerk(?:e)? dir\b|\bvergiss nicht\b|\brecuerda que\b|\bno olvides\b|\brappelle-toi\b|\bn'oublie pas\b"
    r"|\bricorda che\b|\blembre-se\b|记住|請記住|覚えておいて|기억해"
)
_PREFERS = re.compile(
    r"(?i)\bfrom now on\b|\b(?:i|we) (?:always|never|prefer|usually|want|don'?t want|hate|like) |^(?:always|never) \w+"
    r"|\bmy (?:name|team|manager|editor|birthday|role|job|company|wife|husband|partner|dog|cat) is\b|\bcall me \w+"
    r"|\bab jetzt\b|\bich (?:bevorzuge|mag|will) |\ba partir de ahora\b|\bprefiero\b|\bdésormais\b|\bje préfère\b"
    r"|以后请|我喜欢|これからは"
)
_DECIDES = re.compile(
    r"(?i)\b(?:we|i|they|team) (?:have |has |'ve )?(?:decided|chose|agreed|settled|picked|opted|switched|will use)\b"
    r"|\bdecision:|\blet'?s (?:go with|use|keep|drop|switch|stick)\b|\binstead of\b.{3,}\bbecause\b|\bwent with\b"
    r"|\b(?:wir|ich) (?:haben|habe) (?:uns |mich )?(?:entschieden|beschlossen)\b|\bdecidimos\b|\bhemos decidido\b"
    r"|\bnous avons décidé\b|\babbiamo deciso\b|\bdecidiram?os\b|我们决定|決めました|결정했"
)
_LEARNS = re.compile(
    r"(?i)\bturn(?:s|ed) out\b|\broot cause\b|\bthe (?:cause|reason|culprit|problem|issue|fix|catch) (?:is|was)\b"
    r"|\b(?:lesson|takeaway|gotcha|important|caveat):|\bi (?:learned|learnt|discovered|realised|realized) that\b"
    r"|\bblocked (?:by|on)\b|\bwon'?t work because\b|\bonly works (?:if|when)\b|\bthe deadline is\b|\bis due\b"
    r"|\bes stellte sich heraus\b|\bursache (?:ist|war)\b|\bresulta que\b|\bil s'avère que\b|原因是|原因は"
)
_KINDS = (
    (_DECIDES, "decision", 4, 3),
    (_LEARNS, "learning", 3, 3),
    (_ASKED, "insight", 5, 2),
    (_PREFERS, "insight", 4, 0),
)
"""Words, the type of a note, and what they weigh where the person says them, and where the agent does: 0, since what
a program says that it prefers is no fact."""
_TALK = re.compile(
    r"(?i)^(?:let me|i'?ll|i will|i'?m |now |next,|first,|okay|ok,|sure|great|you'?re right|sorry|thank(?:s| you))\b"
)
_ODD = re.compile(r"[{}<>|\\=;$`]")


@frozen
class Claim:
    """A sentence that may be worth a note."""

    text: str
    context: str
    """The paragraph it stands in."""
    is_user: bool
    type: str
    """As notes have it."""
    weight: int


def claims_in(said: Iterable[Said], most: int) -> list[Claim]:
    """The best `most`, in the order in which they were said; a later one weighs as much as an earlier one."""
    found: dict[str, Claim] = {}
    for one in said:
        for claim in _claims(one):
            found.setdefault(" ".join(_WORD.findall(claim.text.lower())), claim)
    claims = list(found.values())
    best = sorted(range(len(claims)), key=lambda at: (-claims[at].weight, -at))[:most]
    return [claims[at] for at in sorted(best)]


def _claims(said: Said) -> Iterator[Claim]:
    for paragraph in re.split(r"\n\s*\n", said.text):
        context = " ".join(paragraph.split())
        for raw in _SENTENCE.split(paragraph):
            text = " ".join(_BULLET.sub("", raw).split())
            if _is_plain(text, said.is_user):
                type, weight = _weight(text, said.is_user)
                if weight >= _STRONG:
                    yield Claim(text, context if len(context) <= _LONGEST_CONTEXT else text, said.is_user, type, weight)


def _is_plain(text: str, is_user: bool) -> bool:
    """Whether it is a sentence that states something, and no code, question or talk about what comes next."""
    words = len(_WORD.findall(text)) if " " in text else len(text) // 2
    if not (words >= _FEWEST_WORDS and len(text) <= _LONGEST) or text.endswith(("?", "？", ":")):
        return False
    return len(_ODD.findall(text)) <= len(text) // 25 and (is_user or _TALK.search(text) is None)


def _weight(text: str, is_user: bool) -> tuple[str, int]:
    """The first type whose words it uses, and the weight of all of them."""
    found = [
        (type, by_user if is_user else by_agent) for words, type, by_user, by_agent in _KINDS if words.search(text)
    ]
    return (found[0][0], max(weight for _, weight in found)) if found else ("", 0)

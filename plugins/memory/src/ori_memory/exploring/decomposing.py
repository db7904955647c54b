"""A question taken apart by its form: what is compared, what is named, what a clause says of something else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from ori_memory.index.entities import names_in
from ori_memory.retrieval.function_words import ENGLISH

__all__ = ["COMPARED", "Part", "parts_of"]

_QUOTED = re.compile(r'"[^"]{2,200}"|“[^”]{2,200}”|«[^»]{2,200}»|「[^」]{2,200}」')
_WORDS = r"and|or|versus|vs\.?|und|oder|et|ou|y|o|e|и|или"
_JOINT = re.compile(rf"[\s,]*(?:(?:{_WORDS})\b|[,&/、和と與与或])[\s,]*(?:the|an?)?\s*\Z", re.IGNORECASE)
_JOINED = re.compile(rf"\b(?:{_WORDS})\b|[&/和と與与或]", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|&)\s+")
_BOTH = re.compile(r"\b(?:both|either|beide|les deux|ambos)\s+", re.IGNORECASE)
_CLAUSES = re.compile(
    r",?\s+and\s+(?=(?:who|whom|whose|what|when|where|which|how|why)\b)|(?<=[^\W\d_]{3}[.?!])\s+(?=[A-Z])"
)
_BETWEEN = (
    r"differen(?:ces?|za)|diferen[cç]as?|diferencias?|différences?|unterschiede?|relation(?:ship)?|trade-?offs?|choice"
)
_TWO_SIDES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:{_BETWEEN})\s+(?:between|entre|tra|fra|zwischen)\s+"
        r"(?P<one>[^?.!;]{1,120}?)\s+(?:and|e|y|et|und)\s+(?P<two>[^?.!;]{1,300})",
        r"\b(?:compar(?:e|ing|ison\s+(?:of|between))|choos(?:e|ing)\s+between)\s+(?P<one>[^?.!;]{1,120}?)\s+"
        r"(?:and|with|to|against|versus|vs\.?)\s+(?P<two>[^?.!;]{1,300})",
        r"\b(?:do|does|did|is|are|was|were)\s+(?P<one>[^?.!;]{1,120}?)\s+"
        r"(?:differ(?:s|ent)?|vary|better|worse)\s+(?:from|to|than)\s+"
        r"(?P<two>[^?.!;]{1,300})",
        r"(?:\A|[:,]\s)(?P<one>[^?.!;:,]{1,120}?)\s+(?:vs\.?|versus)\s+(?P<two>[^?.!;]{1,300})",
        r"(?:разниц\w+|отлич\w+)\s+(?:между\s+)?(?P<one>[^?.!;]{1,120}?)\s+(?:и|от)\s+(?P<two>[^?.!;]{1,300})",
        r"(?P<one>[^\s?？。、,，]{1,30}?)(?:和|与|與|跟|と)(?P<two>[^\s?？。、,，]{1,30}?)(?:之间|之間)?的?(?:区别|區別|差异|差異|不同|違い)",
    )
)
"""What is compared without being a name: `the difference between a mutex and a channel`."""
_SIDE_ENDS = re.compile(
    r"\s*(?:,|\b(?:in terms|with respect|when|for which|and what|and how|and why|and which)\b).*", re.I
)
_SIDE_BEGINS = re.compile(r"\A(?:the|an?|both|os?|as?|le|la|les|el|los|las|der|die|das)\s+", re.IGNORECASE)
_LONGEST_SIDE = 8
_LONGEST = 2_000
"""Characters that are taken apart. Whoever asks more has pasted a page, and each of its clauses is no question."""
_SUBJECT = re.compile(
    r"(?:what|who|how|where|when|why)\s+(?:is|are|was|were|does|do|did|has|have)\s+(?P<subject>(?:\S+\s+){0,6}\S+)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|they|them|he|him|she|its|their|his)\b(?!['’])", re.IGNORECASE)
_DETERMINER = re.compile(r"\b(?:the|an?|this|those|these)\s", re.IGNORECASE)
_QUALIFIER = re.compile(r"\s*\([^()]*\)\Z")
_RELATIVE = re.compile(r"\b(?:that|which|who|whom|whose|where|when)\b", re.IGNORECASE)
_HEAD = re.compile(
    r"\b(?:the|an?|this|those|these)\s+(?:[\w'’-]+\s+){1,6}(?:(?:in|on|at|by|to|from|of|for|with)\s+)?\Z", re.IGNORECASE
)
_OF = re.compile(r"\bof\s+(?=(?:the|an?)\s+[\w'’-]+(?:\s+[\w'’-]+){0,3}\s+(?:of|in|from|by)\s)", re.IGNORECASE)
_SHORTEST = 3
"""Words a part has at least; fewer say nothing that the question does not."""


COMPARED = "one of what is compared"
"""The reason of a part that is one side of a comparison."""


@frozen
class Part:
    """A question within the question."""

    text: str
    reason: str


@frozen
class _Span:
    start: int
    end: int


def parts_of(text: str, titles: Sequence[str]) -> list[Part]:
    """Parts in the order in which they are worth asking, each once. `titles`: of notes that the question names."""
    text = " ".join(text.split())[:_LONGEST].rstrip()
    spans = _names(text, titles)
    found = _compared(text, spans) or _sides(text) or _each_name(text, _titled(text, titles))
    found += [Part(part, "one of several questions") for part in _tidied(_questions(text))]
    found += [Part(part, "what a clause speaks of") for part in _tidied(_clauses(text))]
    asked = _key(text)
    unique: dict[str, Part] = {}
    for part in found:
        if _key(part.text) != asked:
            unique.setdefault(_key(part.text), part)
    return list(unique.values())


def _names(text: str, titles: Sequence[str]) -> list[_Span]:
    """Where titles, quotations and names stand, in their order; longer ones before those within them."""
    spans = [*_titled(text, titles), *(_Span(*match.span()) for match in _QUOTED.finditer(text))]
    for name, at in names_in(text):
        match = re.compile(r"\W+".join(map(re.escape, name.split())), re.IGNORECASE).search(text, at)
        if match is not None and any(word not in ENGLISH for word in name.split()):
            spans += _parted(text, _Span(*match.span()))
    return _apart(spans)


def _parted(text: str, span: _Span) -> list[_Span]:
    """`Ann Lee and Bo Day` looks like one name."""
    ends = [span.start, *(at for found in _AND.finditer(text, span.start, span.end) for at in found.span()), span.end]
    return [_Span(start, end) for start, end in zip(ends[::2], ends[1::2], strict=True)]


def _titled(text: str, titles: Sequence[str]) -> list[_Span]:
    found = []
    for title in titles:
        # A title like `Brother (song)` is named without what tells it from others.
        for name in (title, _QUALIFIER.sub("", title)):
            at = text.lower().find(name.lower()) if name else -1
            if at >= 0 and len(text.lower()) == len(text):
                found.append(_Span(at, at + len(name)))
                break
    return _apart(found)


def _apart(spans: Sequence[_Span]) -> list[_Span]:
    kept: list[_Span] = []
    for span in sorted(spans, key=lambda span: (span.start - span.end, span.start)):
        if all(span.end <= other.start or span.start >= other.end for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda span: span.start)


def _compared(text: str, spans: Sequence[_Span]) -> list[Part]:
    """`X or Y`, `both X and Y`: the question once for each."""
    groups: list[list[_Span]] = []
    for span in spans:
        before = groups[-1][-1] if groups else None
        if before is not None and _JOINT.match(text, before.end, span.start) and before.end < span.start:
            groups[-1].append(span)
        else:
            groups.append([span])
    group = max(groups, key=len, default=[])
    if len(group) < 2 or not _JOINED.search(text, group[-2].end, group[-1].start):
        return []
    start, end = _BOTH.sub("", text[: group[0].start]), _BOTH.sub("", text[group[-1].end :])
    parts = [f"{start}{text[span.start : span.end]}{end}" for span in group]
    return [Part(part, COMPARED) for part in _tidied(parts)]


def _sides(text: str) -> list[Part]:
    """Each side of a comparison for itself: a note tells of one, and seldom that it differs from the other."""
    for pattern in _TWO_SIDES:
        found = pattern.search(text)
        if found is None:
            continue
        one, two = (_SIDE_ENDS.sub("", side).strip() for side in found.group("one", "two"))
        more = _AND.split(two)
        two_or_more = more if all(len(side.split()) <= _SHORTEST for side in more) else [two]
        sides = [_SIDE_BEGINS.sub("", side) for side in (one, *two_or_more)]
        if all(side and len(side.split()) <= _LONGEST_SIDE and not _PRONOUN.fullmatch(side) for side in sides):
            return [Part(side, COMPARED) for side in sides]
    return []


def _questions(text: str) -> list[str]:
    """The questions of one text; a pronoun that looks back becomes what the one before asks about, or is no question.

    `What is a mutex and how does it differ from a channel`: asked alone, `it` would be anything.
    """
    found: list[str] = []
    subject = ""
    for number, clause in enumerate(_CLAUSES.split(text)):
        pronoun = _PRONOUN.search(clause) if number else None
        if pronoun is None:
            about = _SUBJECT.match(clause)
            subject = about["subject"].rstrip(" ,;?.!") if about is not None else ""
        elif subject and pronoun[0].lower() not in ("its", "their", "his"):
            clause = clause[: pronoun.start()] + subject + clause[pronoun.end() :]
        else:
            continue
        found.append(clause)
    return found


def _each_name(text: str, spans: Sequence[_Span]) -> list[Part]:
    """Each named note with the rest of the question, the other names left out."""
    if len(spans) < 2:
        return []
    parts = []
    for one in spans:
        cut = text
        for other in reversed(spans):
            if other is not one:
                cut = cut[: other.start] + cut[other.end :]
        parts.append(cut)
    return [Part(part, "one of the notes it names") for part in _tidied(parts)]


def _clauses(text: str) -> list[str]:
    """`the director of the film that won it` speaks of `the film that won it`: the innermost first."""
    found = []
    for match in _RELATIVE.finditer(text):
        head = _HEAD.search(text, 0, match.start())
        if head is not None and match.start() > 0:
            found.append(text[_last_determiner(text, head.start(), match.start()) :])
    found += [text[match.end() :] for match in _OF.finditer(text)]
    return sorted(found, key=len)


def _last_determiner(text: str, start: int, end: int) -> int:
    return max([match.start() for match in _DETERMINER.finditer(text, start, end)], default=start)


def _tidied(parts: Sequence[str]) -> list[str]:
    cleaned = [re.sub(r"\s+([?,.;])", r"\1", " ".join(part.split())).strip(" ,;?.") for part in parts]
    return [part for part in cleaned if len(part.split()) >= _SHORTEST or not part.isascii()]


def _key(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))

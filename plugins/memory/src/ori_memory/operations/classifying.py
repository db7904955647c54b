"""What a note is, by the words it uses: its type and its projects. Heuristics, each overruled by what the note says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import frozen

__all__ = ["Classified", "classify", "describe", "projects_of"]

Certainty = Literal["explicit", "high", "medium", "default"]

_FAMILIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "decision",
        (
            r"chose\b.*\bover\b", r"decided to", r"switched from", r"will use", r"approved", r"go(?:ing)? with",
            r"decisions?", r"trade-?offs?", r"alternatives?", r"rationale",
        ),
    ),
    (
        "blocker",
        (r"blocked", r"blockers?", r"stuck", r"can(?:'t|not| not) proceed", r"waiting (?:on|for)", r"depends on"),
    ),
    (
        "opportunity",
        (
            r"opportunit(?:y|ies)", r"potential", r"might enable", r"opens up", r"worth exploring", r"gap",
            r"nobody has", r"market for",
        ),
    ),
    (
        "learning",
        (r"learn(?:ed|t)", r"discovered that", r"turns out", r"reali[sz]ed", r"til", r"key takeaways?", r"proves"),
    ),
    ("idea", (r"what if", r"could we", r"proposal", r"hypothesis", r"experiment", r"ideas?")),
)  # fmt: skip

_COMPILED = tuple(
    (name, tuple(re.compile(rf"(?<!\w){pattern}(?!\w)") for pattern in patterns)) for name, patterns in _FAMILIES
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n\s*\n")
_WIKI_LINK = re.compile(r"!?\[\[([^\]|\n]+)(?:\|([^\]\n]+))?\]\]")
_MARKDOWN_LINK = re.compile(r"!?\[([^\]\n]+)\]\([^()\s]*\)")
_LONGEST_DESCRIPTION = 200


@frozen
class Classified:
    """A type and how sure it is."""

    type: str
    certainty: Certainty


def classify(title: str, body: str, said: str = "") -> Classified:
    """The type of a note: what it says itself, else the first family whose words it uses, else insight."""
    if said:
        return Classified(said, "explicit")
    text = f"{title}\n{body}".lower()
    for name, patterns in _COMPILED:
        hits = sum(1 for pattern in patterns if pattern.search(text))
        if hits:
            return Classified(name, "high" if hits > 1 else "medium")
    return Classified("insight", "default")


def projects_of(title: str, body: str, keywords: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Projects whose keywords occur as words; in the order of the settings."""
    text = f"{title}\n{body}".lower()
    return tuple(
        project
        for project, words in keywords.items()
        if any(re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", text) for word in words if word)
    )


def describe(title: str, body: str) -> str:
    """A description of at most 200 characters: the first sentence of the body that says more than the title.

    No full stop at its end. Empty where the body holds nothing of the kind.
    """
    for paragraph in _prose(body):
        sentence = _unlinked(_SENTENCE_END.split(paragraph, maxsplit=1)[0]).strip()
        if sentence and sentence.casefold().rstrip(".") != title.casefold():
            return _shortened(sentence).rstrip(".。")
    return ""


def _unlinked(text: str) -> str:
    """The words of links alone: a link in the frontmatter would be one more link of the note."""
    return _MARKDOWN_LINK.sub(r"\1", _WIKI_LINK.sub(lambda found: found[2] or found[1], text))


def _prose(body: str) -> list[str]:
    """Paragraphs that are text: no headings, fences, tables, comments, lists of links."""
    inside_fence = False
    kept: list[str] = []
    for paragraph in re.split(r"\n\s*\n", body):
        lines = []
        for line in paragraph.splitlines():
            if line.lstrip().startswith(("```", "~~~")):
                inside_fence = not inside_fence
            elif not inside_fence and not re.match(r"\s*(#{1,6}\s|\||>|<!--|!\[)", line):
                lines.append(re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", line).strip())
        text = " ".join(part for part in lines if part)
        if text:
            kept.append(text)
    return kept


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST_DESCRIPTION:
        return text
    cut = text[: _LONGEST_DESCRIPTION - 1]
    head, space, _ = cut.rpartition(" ")
    return (head if space and len(head) > _LONGEST_DESCRIPTION // 2 else cut).rstrip(",;: ") + "…"

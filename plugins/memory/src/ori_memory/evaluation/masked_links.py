"""Questions from links: what stands around a link, without the link, should find what it leads to."""

from __future__ import annotations

import random
import re

from ori_memory.evaluation.dataset import Query
from ori_memory.evaluation.own_texts import OwnNote, OwnTexts, content_units
from ori_memory.evaluation.sentences import plain_sentences
from ori_memory.evaluation.words import words_of
from ori_memory.index.edges import IndexedLink
from ori_memory.memory import Memory
from ori_memory.model import LinkKind
from ori_memory.notes.naming import stem_of
from ori_memory.notes.parsing import parse_note
from ori_memory.operations.footers import without_footers

__all__ = ["MASKED_LINK", "masked_links"]

MASKED_LINK = "masked-link"
_FEWEST = 4
_KINDS = (LinkKind.WIKI, LinkKind.MARKDOWN)
_INLINE = re.compile(r"\[.*\)", re.DOTALL)
_MARK = "\ue0f1"
_PLACE = re.compile(r"[\w'’-]+")


def masked_links(memory: Memory, texts: OwnTexts, limit: int, seed: int) -> tuple[list[Query], int]:
    """At most `limit` questions, and how many of the links that were tried gave none.

    The note that the link stands in is left out of the answer. A sentence is asked once, whatever it links to.
    Links to a note that says next to nothing are passed over.
    """
    notes = {note.record.path: note for note in texts.notes if len(content_units(note.body)) >= _FEWEST}
    links = [link for link in memory.index.links() if _is_fit(link, notes)]
    random.Random(seed).shuffle(links)
    found: dict[str, Query] = {}
    tried = 0
    for link in links:
        if len(found) >= limit:
            break
        tried += 1
        assert link.target is not None
        question = _question(memory, link, notes[link.target])
        if question and question not in found:
            id = f"{MASKED_LINK}: {link.source}:{link.link.line}:{link.link.start}"
            found[question] = Query(id, question, (link.target,), MASKED_LINK, excluded=(link.source,))
    return list(found.values()), tried - len(found)


def _is_fit(link: IndexedLink, notes: dict[str, OwnNote]) -> bool:
    # A reference to a block shows what that says, and no name of a note.
    is_written = link.link.kind in _KINDS and not link.link.is_property and not link.link.target.startswith("((")
    return is_written and link.target in notes and link.source in notes and link.target != link.source


def _question(memory: Memory, link: IndexedLink, target: OwnNote) -> str:
    """Empty where too little is left."""
    try:
        text = memory.index.text_of(link.source)
    except OSError:
        return ""
    start, end = link.link.start, link.link.end
    written = text[start:end]
    if not (written.startswith("[[") if link.link.kind is LinkKind.WIKI else _INLINE.fullmatch(written)):
        return ""  # A definition at the end of the note, or the file has changed since.
    body = parse_note(f"{text[:start]}{_MARK}{text[end:]}", stem_of(link.source)).body
    for sentence in plain_sentences(without_footers(body)):
        if _MARK in sentence:
            names = (link.link.target, link.link.alias or "", target.record.title, stem_of(target.record.path))
            left = _without_words(sentence.replace(_MARK, " "), names)
            return left if len(content_units(left)) >= _FEWEST else ""
    return ""


def _without_words(sentence: str, names: tuple[str, ...]) -> str:
    """The sentence without the names and without their words."""
    for name in sorted(filter(None, names), key=len, reverse=True):
        sentence = re.sub(re.escape(name), " ", sentence, flags=re.IGNORECASE)
    gone = set(content_units(" ".join(names)))
    kept = _PLACE.sub(lambda word: " " if set(words_of(word[0])) & gone else word[0], sentence)
    return " ".join(kept.split())

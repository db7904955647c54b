"""A person's own vault as something that can be evaluated, without anybody judging answers and without a model."""

from __future__ import annotations

import contextlib

from aries_kernel.errors import UserError
from ori_memory.evaluation.haystack import Haystack, Opened, Trial
from ori_memory.evaluation.known_items import known_items
from ori_memory.evaluation.masked_links import masked_links
from ori_memory.evaluation.own_texts import OwnTexts
from ori_memory.memory import Memory

__all__ = ["own_trial"]


def own_trial(memory: Memory, limit: int = 200, seed: int = 0) -> Trial:
    """At most `limit` questions of each kind.

    Raises: UserError where the vault gives none.
    """
    texts = OwnTexts.read(memory)
    items, without_item = known_items(texts, limit, seed)
    links, without_link = masked_links(memory, texts, limit, seed)
    queries = (*items, *links)
    if not queries:
        raise UserError(
            f"{memory.vault.root} gives no question: that takes notes with a description, with sentences of five "
            "telling words, or with links inside sentences. Name a data set: ori eval DIR."
        )
    opened = Opened(
        memory,
        {note.record.path: note.record.path for note in texts.notes},
        lambda: [note.document for note in texts.notes],
    )
    name = memory.vault.root.name
    haystack = Haystack(name, queries, len(texts.notes), lambda: contextlib.nullcontext(opened))
    left_out = {"notes tried without a fit sentence": without_item, "links tried without a fit sentence": without_link}
    return Trial(name, "note", "own vault", (haystack,), {key: count for key, count in left_out.items() if count})

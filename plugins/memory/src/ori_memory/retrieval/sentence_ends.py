"""Where sentences end in a text of the index."""

from __future__ import annotations

__all__ = ["SENTENCE_END"]

_WIDE = "\u2e80-\u9fff"
SENTENCE_END = rf"(?:[.!?](?=\s)|\u3002|[\uff01\uff1f]|(?<=[{_WIDE}])[!?]|[!?](?=[{_WIDE}])|(?=\n))\s?"
"""A pattern. Chinese and Japanese put no blank behind a sentence, and the index keeps their wide `!` and `?` narrow."""

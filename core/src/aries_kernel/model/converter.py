"""The one converter that stores and reads messages."""

from __future__ import annotations

import functools

from cattrs import Converter
from cattrs.strategies import configure_tagged_union

from aries_kernel.model.messages import Message, Part

__all__ = ["converter"]


@functools.cache
def converter() -> Converter:
    """Members of a union carry their class in the key `type`. Unknown keys are ignored: a newer version wrote them."""
    made = Converter()
    made.register_structure_hook_func(lambda hint: hint is object, lambda value, _: value)
    for union in (Part, Message):
        configure_tagged_union(union, made, tag_name="type")
    return made

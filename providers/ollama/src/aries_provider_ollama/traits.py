"""How a model of an Ollama server wants to be asked."""

from __future__ import annotations

import re

import attrs
from attrs import frozen

from aries_provider_http.faults import Fault

__all__ = ["Traits", "relaxed"]

_NO_THINKING = re.compile(
    r"does not support thinking|invalid think value|think value .{0,40}not supported", re.IGNORECASE
)


@frozen
class Traits:
    """The defaults are what most models take."""

    thinks: bool = True
    """`think` is sent where an effort is asked for."""
    has_levels: bool = False
    """`think` takes low, medium and high, not only yes and no."""


def relaxed(traits: Traits, fault: Fault) -> Traits | None:
    """Other traits that make the server take what it has just refused; None where nothing of ours is at fault."""
    if fault.status == 400 and traits.thinks and _NO_THINKING.search(fault.words):
        return attrs.evolve(traits, has_levels=False) if traits.has_levels else attrs.evolve(traits, thinks=False)
    return None

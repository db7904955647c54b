"""The stage `resolution`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from attrs import field, frozen, validators

from aries_kernel.contracts import Corpus, Found, Question, Skipped
from ori_stage_dampening.scaling import scaled

__all__ = ["Resolution", "ResolutionOptions"]


@frozen
class ResolutionOptions:
    """Options of `resolution`."""

    factor: float = field(default=1.25, validator=[validators.ge(1), validators.le(10)])
    types: tuple[str, ...] = ("decision", "learning")


class Resolution:
    """Notes that settled something come before those that only speak of it."""

    name: ClassVar[str] = "resolution"
    description: ClassVar[str] = "Decisions and learnings step forward."
    options_type: ClassVar[type[Any]] = ResolutionOptions

    def __init__(self, options: ResolutionOptions) -> None:
        self._options = options
        self._types = {kind.lower() for kind in options.types}

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        views = corpus.describe([one.note for one in ranked])
        settled = [note for note, view in views.items() if view.type.lower() in self._types]
        if not settled:
            return Skipped(f"no note of the list is of type {' or '.join(self._options.types) or 'none'}")
        return scaled(ranked, dict.fromkeys(settled, self._options.factor))

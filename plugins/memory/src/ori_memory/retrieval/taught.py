"""What use has taught, in the form in which a question needs it; kept from one question to the next."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from aries_kernel.contracts.corpus import Experience
from aries_kernel.errors import AriesError

if TYPE_CHECKING:
    from ori_memory.learned.crediting import Credited
    from ori_memory.memory import Memory
    from ori_memory.retrieval.bandit import Knowledge
    from ori_memory.retrieval.earlier import AskedBefore
    from ori_memory.retrieval.steering import Steering
    from ori_memory.retrieval.together import Together

__all__ = ["Taught"]


class Taught:
    """Over one memory's learned store; where nothing was learned, nothing is read and nothing imported."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._together: Together | None = None
        self._steering: Steering | None = None

    def asked_before(self, words: Sequence[str]) -> AskedBefore | None:
        """Earlier questions that share one of these words with what proved useful for them; None where there is none.

        Read for each question: a store that learns all the time would have to be read whole again and again.
        """
        if not self._memory.has_learned:
            return None
        from ori_memory.retrieval.earlier import MOST, AskedBefore, stems_of

        about = self._memory.learned.credits_about(sorted(stems_of(words)), MOST)
        return AskedBefore(about) if about else None

    def uses(self, note_ids: Collection[str]) -> Mapping[str, Sequence[Credited]]:
        """What these notes earned; without those that earned nothing."""
        found: dict[str, list[Credited]] = {}
        for credit in self._memory.learned.credits_among(note_ids) if self._memory.has_learned else ():
            found.setdefault(credit.note_id, []).append(credit)
        return found

    def experience(self) -> Experience:
        """What the latest earlier questions tell of all."""
        if not self._memory.has_learned:
            return Experience()
        # Which notes the earlier questions name takes longer than anybody should wait.
        return self._memory.learned.experience() or self._latest().experience

    def keep_experience(self) -> None:
        """Compare the earlier questions where something was learned since; not while somebody waits."""
        learned = self._memory.learned
        if self._memory.has_learned and learned.experience() is None:
            from ori_memory.retrieval.named_before import naming_of

            before = self._latest()
            named, unnamed = naming_of(self._memory, before)
            learned.keep_experience(evolve(before.experience, named=named, unnamed=unnamed))

    def _latest(self) -> AskedBefore:
        from ori_memory.retrieval.earlier import COMPARED, AskedBefore

        return AskedBefore(self._memory.learned.latest_credits(COMPARED))

    def together(self) -> Together | None:
        """Which notes were used together; kept for a day, or until more was learned. None where nothing was yet."""
        if not self._memory.has_learned:
            return None
        from ori_memory.retrieval.together import Together

        pairs, today = self._memory.learned.pairs(), self._memory.now().date()
        if self._together is None or self._together.pairs is not pairs or self._together.today != today:
            self._together = Together(pairs, today)
        return self._together

    @property
    def steering(self) -> Steering | None:
        """What was learned about the parts of a question; None where the settings say that nothing is."""
        mode = self._memory.vault.config.retrieval.steering
        if mode == "off":
            return None
        if self._steering is None:
            from ori_memory.retrieval.steering import Steering

            self._steering = Steering(self._arms, is_watching=mode == "watch")
        return self._steering

    def _arms(self) -> Mapping[str, Knowledge]:
        from ori_memory.retrieval.bandit import Knowledge

        arms = self._memory.learned.arms() if self._memory.has_learned else {}
        return {part: Knowledge.of(arm.samples, arm.sums) for part, arm in arms.items()}

    def keep_steering(self) -> None:
        """Keep what the last questions told of the parts; a store that cannot be written is told."""
        if self._steering is None or not self._steering.samples:
            return
        try:
            self._steering.keep(self._memory.learned)
        except AriesError as error:
            self._memory.notice(f"What the parts of the question brought was not kept: {error}")

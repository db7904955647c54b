"""Up to where in a conversation something holds, such as a refusal of what its first part carries."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from aries_kernel.model.messages import Message

__all__ = ["Boundary"]


@frozen
class Boundary:
    """A conversation that was shortened, or is another one, does not have it: its messages are not those."""

    count: int = 0
    last: Message | None = None

    @classmethod
    def at_end_of(cls, messages: Sequence[Message]) -> Boundary:
        """All of these messages."""
        return cls(len(messages), messages[-1]) if messages else cls()

    def within(self, messages: Sequence[Message]) -> int:
        """How many of `messages`, from the first on, lie before the boundary."""
        return self.count if 0 < self.count <= len(messages) and messages[self.count - 1] == self.last else 0

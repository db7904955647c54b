"""Up to where in a conversation a refusal holds."""

from __future__ import annotations

from aries_kernel.model.messages import UserMessage
from aries_provider_http.boundary import Boundary

SAID = tuple(UserMessage(f"message {number}") for number in range(5))


def test_a_conversation_that_goes_on_keeps_it_and_one_that_was_shortened_does_not() -> None:
    boundary = Boundary.at_end_of(SAID[:3])
    assert [boundary.within(SAID[:length]) for length in range(6)] == [0, 0, 0, 3, 3, 3]
    assert boundary.within((UserMessage("summary"), *SAID[3:])) == 0
    assert boundary.within(tuple(UserMessage(f"another {number}") for number in range(5))) == 0


def test_nothing_lies_before_the_boundary_of_nothing() -> None:
    assert Boundary.at_end_of(()).within(SAID) == Boundary().within(()) == 0

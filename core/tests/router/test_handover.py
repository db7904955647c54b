"""A conversation that another model goes on with."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.model.messages import AssistantMessage, Message, Reasoning, StopReason, Text, ToolCall, UserMessage
from aries_kernel.router.handover import messages_for

CALL = ToolCall("call_1", "Bash", "{}", "wire-1")


def answer(*parts: Reasoning | Text | ToolCall) -> AssistantMessage:
    return AssistantMessage(parts, StopReason.END, "one", "big")


def test_a_model_gets_its_own_reasoning_as_it_was() -> None:
    said = (UserMessage("hi"), answer(Reasoning("hm", "one", "big", '{"signature": "x"}'), Text("yes"), CALL))
    assert messages_for(said, "one", "big") == said


def test_another_model_gets_readable_reasoning_as_text_and_no_signature() -> None:
    said = (answer(Reasoning("hm", "one", "big", '{"signature": "x"}'), Text("yes"), CALL),)
    expected = (answer(Text("hm\n\n"), Text("yes"), CALL),)
    for provider, model in (("one", "small"), ("two", "big")):
        assert messages_for(said, provider, model) == expected


def test_what_nobody_else_can_read_is_left_out() -> None:
    said = (answer(Reasoning("", "one", "big", '{"encrypted": "x"}'), CALL),)
    assert messages_for(said, "two", "big") == (answer(CALL),)


reasoning = st.builds(Reasoning, st.text(), st.sampled_from("pq"), st.sampled_from("mn"), st.none() | st.text())
parts = st.lists(reasoning | st.builds(Text, st.text(min_size=1)) | st.just(CALL), max_size=5)
history = st.lists(st.builds(UserMessage, st.text()) | parts.map(lambda found: answer(*found)), max_size=5)


@given(history, history)
def test_a_longer_conversation_never_changes_a_shorter_one(said: list[Message], more: list[Message]) -> None:
    assert messages_for([*said, *more], "p", "m")[: len(said)] == messages_for(said, "p", "m")


@given(history)
def test_nothing_of_another_maker_is_left_and_no_call_is_lost(said: list[Message]) -> None:
    for old, new in zip(said, messages_for(said, "p", "m"), strict=True):
        if isinstance(old, AssistantMessage) and isinstance(new, AssistantMessage):
            left = [part for part in new.parts if isinstance(part, Reasoning)]
            assert left == [
                part for part in old.parts if isinstance(part, Reasoning) and part.provider + part.model == "pm"
            ]
            assert new.calls == old.calls

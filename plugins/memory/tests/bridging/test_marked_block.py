"""Instructions in a text for people."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ori_memory.bridging.marked_block import drop_block, has_block, put_block
from ori_memory.bridging.place import CannotEdit

TEXTS = st.text().filter(lambda text: "ori-bridge:" not in text and text.strip("\r\n"))


@example("0\r", "")
@given(TEXTS, st.text().filter(lambda text: "ori-bridge:" not in text))
def test_what_was_put_in_and_taken_out_leaves_every_byte(text: str, content: str) -> None:
    after = put_block(text, "codex", content)
    assert has_block(after, "codex") and not has_block(after, "zed")
    assert put_block(after, "codex", content) == after
    assert drop_block(after, "codex") == text
    assert drop_block(text, "codex") == text


@given(TEXTS, TEXTS)
def test_text_of_the_person_behind_the_block_stays(text: str, more: str) -> None:
    after = drop_block(put_block(text, "codex", "Ours.") + "\n" + more, "codex")
    assert after == text + "\n" + more


@given(TEXTS)
def test_clients_that_read_one_file_share_the_block_and_the_last_one_takes_it_along(text: str) -> None:
    first = put_block(text, "codex", "Ours.")
    both = put_block(first, "opencode", "Ours.")
    assert both.count("Ours.") == 1 + text.count("Ours.")
    assert drop_block(both, "opencode") == first
    assert drop_block(drop_block(both, "codex"), "opencode") == text


def test_new_instructions_take_the_place_of_the_old() -> None:
    first = put_block("Mine.\n", "codex", "Old.\nOld.") + "More.\n"
    assert put_block(first, "codex", "New.") == first.replace("Old.\nOld.", "New.")


@pytest.mark.parametrize("missing", ["start", "end"])
def test_a_mark_without_the_other_stops_with_its_line(missing: str) -> None:
    text = put_block("Mine.\n", "codex", "Ours.")
    broken = "\n".join(line for line in text.split("\n") if f"ori-bridge:{missing}" not in line)
    for edit in (lambda: put_block(broken, "codex", "Ours."), lambda: drop_block(broken, "codex")):
        with pytest.raises(CannotEdit, match=r"^\d+:\d+: "):
            edit()


def test_two_blocks_stop_it() -> None:
    text = put_block("Mine.\n", "codex", "Ours.")
    with pytest.raises(CannotEdit):
        put_block(text + text, "codex", "Ours.")

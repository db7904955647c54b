"""ChatGPT's export, with everything that was seen to be wrong with it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aries_kernel.contracts.importer import ImportedNote, Loss
from aries_kernel.errors import UserError
from ori_memory.importers.chatgpt import ChatGpt


def node(id: str, parent: str | None, text: object, role: str = "user", at: float | None = None) -> dict[str, Any]:
    parts = text if isinstance(text, list) else [text]
    message = {
        "author": {"role": role},
        "create_time": at,
        "content": {"content_type": "text", "parts": parts},
    }
    return {"id": id, "parent": parent, "message": message}


def conversation(id: str, *nodes: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"conversation_id": id, "title": f"Talk {id}", "mapping": {one["id"]: one for one in nodes}, **more}


def read(folder: Path, data: object) -> tuple[list[ImportedNote], list[Loss]]:
    file = folder / "conversations.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    items = list(ChatGpt().read(file))
    return [one for one in items if isinstance(one, ImportedNote)], [one for one in items if isinstance(one, Loss)]


def test_a_conversation_is_a_note_with_speakers_and_times(tmp_path: Path) -> None:
    talk = conversation(
        "c", node("a", None, "Question", at=1_700_000_000), node("b", "a", "Answer", "assistant"), current_node="b"
    )
    [note], losses = read(tmp_path, [{**talk, "create_time": 1_700_000_000.5}])
    assert note.body == "## User · 2023-11-14 22:13\n\nQuestion\n\n## Assistant\n\nAnswer\n"
    assert (note.key, note.title, str(note.created), losses) == ("c", "Talk c", "2023-11-14", [])


def test_the_branch_shown_last_is_taken_and_the_others_are_told_of(tmp_path: Path) -> None:
    talk = conversation("c", node("a", None, "Q"), node("b", "a", "old"), node("d", "a", "new"), current_node="d")
    [note], [loss] = read(tmp_path, [talk])
    assert "new" in note.body and "old" not in note.body
    assert "branches" in loss.reason


def test_without_a_current_node_the_latest_leaf_is_taken(tmp_path: Path) -> None:
    talk = conversation("c", node("a", None, "Q"), node("b", "a", "late", at=2e9), node("d", "a", "early", at=1e9))
    [note], _ = read(tmp_path, [talk])
    assert "late" in note.body and "early" not in note.body


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    [note], _ = read(tmp_path, [conversation("c", node("a", "b", "one"), node("b", "a", "two"))])
    assert "one" in note.body and "two" in note.body


def test_null_parts_and_pictures_are_losses_and_the_rest_is_kept(tmp_path: Path) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "x"}
    [note], losses = read(tmp_path, [conversation("c", node("a", None, ["text", None, picture]))])
    assert "text" in note.body
    assert [loss.reason for loss in losses] == [
        "an empty part of a message",
        "a part that is no text (image_asset_pointer)",
    ]


def test_of_two_conversations_with_one_id_the_first_is_taken(tmp_path: Path) -> None:
    notes, [loss] = read(tmp_path, [conversation("c", node("a", None, text)) for text in ("first", "second")])
    assert [note.key for note in notes] == ["c"] and "first" in notes[0].body
    assert "second conversation with the id c" in loss.reason


def test_what_is_no_conversation_is_a_loss(tmp_path: Path) -> None:
    notes, losses = read(tmp_path, [None, 3, {}, {"mapping": []}, conversation("c", node("a", None, "x"))])
    assert (len(notes), len(losses)) == (1, 4)


def test_a_file_that_breaks_off_gives_what_came_before(tmp_path: Path) -> None:
    text = json.dumps([conversation("c", node("a", None, "x")), conversation("d", node("a", None, "y"))])
    notes, [loss] = read(tmp_path, text[:-20])
    assert [note.key for note in notes] == ["c"]
    assert "the rest of it cannot be read" in loss.reason


def test_an_open_fence_does_not_swallow_the_next_speaker(tmp_path: Path) -> None:
    talk = conversation("c", node("a", None, "```python\nx = 1"), node("b", "a", "Answer"), current_node="b")
    [note], _ = read(tmp_path, [talk])
    assert "x = 1\n```\n\n## User\n\nAnswer" in note.body


@pytest.mark.parametrize("members", [[], ["users.json"]])
def test_a_zip_without_conversations_is_an_error_that_says_so(tmp_path: Path, members: list[str]) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for member in members:
            archive.writestr(member, "[]")
    with pytest.raises(UserError, match=r"holds no conversations\.json"):
        list(ChatGpt().read(tmp_path / "a.zip"))


def test_a_damaged_member_of_a_zip_is_a_loss(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("x/conversations.json", json.dumps([conversation("c", node("a", None, "x" * 100))]))
    data = bytearray(file.read_bytes())
    place = data.index(b"xxxx")
    data[place : place + 4] = b"yyyy"
    file.write_bytes(bytes(data))
    items = list(ChatGpt().read(file))
    assert any(isinstance(one, Loss) and "CRC" in one.reason for one in items)


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["mapping", "message", "content", "parts", "parent", "author", "create_time", "title", "id"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.lists(_JSON, max_size=3))
@settings(max_examples=60, deadline=None)
def test_no_json_makes_it_fail(tmp_path_factory: pytest.TempPathFactory, data: list[object]) -> None:
    notes, losses = read(tmp_path_factory.mktemp("export"), data)
    assert len(notes) + len(losses) >= len(data)

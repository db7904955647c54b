"""Whatever a client or a transcript holds: it is read for what it says, and nothing is raised."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ori_memory.hooks.claims import claims_in
from ori_memory.hooks.payload import Payload, read_payload
from ori_memory.hooks.transcripts import Said, said_in, said_in_file

NAMES = st.sampled_from(
    [
        "type",
        "role",
        "message",
        "content",
        "text",
        "parts",
        "payload",
        "data",
        "messages",
        "tool_input",
        "path",
        "edits",
    ]
)
WORDS = st.one_of(st.sampled_from(["user", "assistant", "text", "We decided to use tea because of taste."]), st.text())
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(JSON)
def test_any_entry_says_something_or_nothing(entry: Any) -> None:
    for said in said_in(entry):
        assert said.text.strip() == said.text != ""


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(NAMES, JSON, max_size=5))
def test_any_document_names_files_or_none(data: dict[str, Any]) -> None:
    payload = Payload(data)
    assert all(isinstance(path, str) and path for path in payload.paths())
    assert all(isinstance(folder, str) for folder in payload.folders())


@settings(max_examples=100, deadline=None)
@given(st.lists(st.builds(Said, st.booleans(), st.text(max_size=500)), max_size=5), st.integers(0, 5))
def test_claims_are_single_lines_within_their_number(said: list[Said], most: int) -> None:
    found = claims_in(said, most)
    assert len(found) <= most
    assert all(claim.text and "\n" not in claim.text for claim in found)


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_a_transcript_of_something_or_nothing(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "transcript"
        file.write_bytes(data)
        said_in_file(file)


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.text(max_size=9), JSON, max_size=4), st.integers(1, 60))
def test_a_document_that_comes_in_pieces_is_read_whole_without_an_end(data: dict[str, Any], size: int) -> None:
    incoming, outgoing = os.pipe()
    try:
        text = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
        for at in range(0, len(text), size):
            os.write(outgoing, text[at : at + size])
        assert read_payload(incoming, 10.0).data == json.loads(text)
    finally:
        os.close(outgoing)
        os.close(incoming)

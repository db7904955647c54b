"""No document makes an importer fail: what cannot be taken is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aries_kernel.errors import AriesError
from ori_memory.importers.claude import Claude
from ori_memory.importers.memory_json import MemoryJson

KEYS = (
    *("uuid", "name", "chat_messages", "sender", "text", "content", "attachments", "file_name", "created_at"),
    *("parent_message_uuid", "type", "entityType", "observations", "relations", "entities", "from", "to"),
)
ANY = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)


@pytest.mark.parametrize(("importer", "name"), [(Claude(), "conversations.json"), (MemoryJson(), "memory.json")])
@settings(max_examples=80, deadline=None)
@given(data=st.lists(ANY, max_size=3) | ANY)
def test_any_document_is_taken_or_told(
    tmp_path_factory: pytest.TempPathFactory, importer: Any, name: str, data: object
) -> None:
    file: Path = tmp_path_factory.mktemp("export") / name
    file.write_text(json.dumps(data), encoding="utf-8")
    try:
        list(importer.read(file))
    except AriesError as error:
        assert str(error)

"""Whatever is written comes back; wherever a log is cut, what was whole stays."""

from __future__ import annotations

import datetime
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.model.messages import (
    AssistantMessage,
    Reasoning,
    ResultStatus,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.usage import Usage
from aries_kernel.session import entries
from aries_kernel.session.log import SessionLog, read_log

texts = st.text(st.characters(), max_size=30)
counts = st.integers(0, 10**9)
parts = st.one_of(
    st.builds(Text, texts),
    st.builds(Reasoning, texts, texts, texts, st.none() | texts),
    st.builds(ToolCall, texts, texts, texts, st.none() | texts),
)
some_entries = st.one_of(
    st.builds(entries.UserSaid, st.builds(UserMessage, texts, texts)),
    st.builds(entries.CallBegan, texts),
    st.builds(entries.CallEnded, st.builds(ToolResult, texts, texts, st.sampled_from(ResultStatus), texts)),
    st.builds(
        entries.Answered,
        st.builds(
            AssistantMessage,
            st.lists(parts, max_size=4).map(tuple),
            st.sampled_from(StopReason),
            texts,
            texts,
            st.builds(Usage, counts, counts, counts, counts, counts),
        ),
    ),
)


def write(path: Path, written: list[entries.Entry]) -> None:
    log = SessionLog(path, lambda: datetime.datetime(2026, 1, 1))
    for entry in written:
        log.append(entry)
    log.close()


@given(st.lists(some_entries, max_size=6))
def test_entries_come_back_as_they_were(written: list[entries.Entry]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        write(path, written)
        assert [line.entry for line in read_log(path)] == written


@given(st.lists(some_entries, min_size=1, max_size=4), st.lists(some_entries, min_size=1, max_size=2), st.data())
def test_a_log_cut_anywhere_keeps_its_whole_lines_and_can_be_gone_on_with(
    written: list[entries.Entry], more: list[entries.Entry], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        write(path, written)
        whole = path.read_bytes()
        kept = whole[: data.draw(st.integers(0, len(whole)))]
        path.write_bytes(kept)
        write(path, more)
        read = [line.entry for line in read_log(path)]
        intact = kept.count(b"\n")
        assert read[:intact] == written[:intact]
        assert read[-len(more) :] == more
        assert len(read) - intact - len(more) in (0, 1)

"""Reading a data set: what is taken, what is counted, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ori_memory.evaluation.dataset import read_dataset
from ori_memory.evaluation.json_lines import DataSetError

Tea = tuple[list[dict[str, Any]], list[dict[str, Any]]]
Write = Callable[..., Path]

DOCUMENT = {"id": "d", "title": "t", "text": "x"}
QUERY = {"id": "q", "text": "x?", "gold": ["d"]}


@pytest.mark.parametrize("packed", [False, True])
def test_a_plain_and_a_packed_set_read_alike(write_set: Write, tea: Tea, packed: bool) -> None:
    found = read_dataset(write_set(*tea, packed=packed))
    assert [one.id for one in found.documents] == ["d1", "d2", "d3", "d4", "5"]
    assert [one.gold for one in found.queries] == [("d1",), ("d3",), ("5",)]
    assert (found.name, found.unit, dict(found.left_out), found.warnings) == (
        "tiny",
        "document",
        {"adversarial": 1},
        (),
    )


def test_sessions_have_their_own_gold(write_set: Write) -> None:
    corpus = [{"id": "c/1:1", "text": "A: hi", "group": "c", "session": "1"}]
    sessions = [{"id": "c/1", "title": "Session 1", "text": "A: hi", "group": "c"}]
    queries = [
        {"id": "q1", "text": "who?", "gold": ["c/1:1"], "gold_sessions": ["c/1"], "group": "c"},
        {"id": "q2", "text": "when?", "gold": ["c/1:1"], "gold_sessions": [], "group": "c"},
    ]
    folder = write_set(corpus, queries, sessions)
    by_session, by_turn = read_dataset(folder, "session"), read_dataset(folder)
    assert ([one.gold for one in by_session.queries], dict(by_session.left_out)) == ([("c/1",)], {"without gold": 1})
    assert (by_session.unit, by_turn.unit, len(by_turn.queries)) == ("session", "turn", 2)


@pytest.mark.parametrize(
    ("corpus", "queries", "message"),
    [
        (["{"], [QUERY], r"corpus\.jsonl, line 1: this is no JSON"),
        (["[1]"], [QUERY], r"corpus\.jsonl, line 1: an object is expected"),
        ([DOCUMENT, "", {"id": "e"}], [QUERY], r"corpus\.jsonl, line 3: 'text' is missing"),
        ([DOCUMENT, DOCUMENT], [QUERY], r"corpus\.jsonl, line 2: the id 'd' was given in line 1"),
        ([{"id": True, "text": ""}], [QUERY], r"line 1: 'id' must hold ids"),
        ([{"id": "d", "text": ["x"]}], [QUERY], r"line 1: 'text' must be a text"),
        ([DOCUMENT], [{**QUERY, "gold": "d"}], r"queries\.jsonl, line 1: 'gold' must be a list"),
        ([DOCUMENT], [QUERY, {**QUERY, "text": "y"}], r"queries\.jsonl, line 2: the id 'q'"),
        ([DOCUMENT], [{**QUERY, "gold": []}], r"no question is left to ask. Left out: 1 without gold"),
        ([""], [QUERY], r"corpus\.jsonl holds no documents"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    write_set: Write, corpus: list[Any], queries: list[Any], message: str
) -> None:
    with pytest.raises(DataSetError, match=message):
        read_dataset(write_set(corpus, queries))


def test_questions_with_gold_that_nobody_has_are_left_out_and_told(write_set: Write) -> None:
    queries = [QUERY, {"id": "r", "text": "y", "gold": ["d", "ghost"]}]
    found = read_dataset(write_set([DOCUMENT], queries))
    assert ([one.id for one in found.queries], dict(found.left_out)) == (["q"], {"with gold that no document has": 1})
    assert "queries.jsonl, line 2: 'ghost' in 'gold'" in found.warnings[0]


def test_a_missing_file_a_missing_folder_and_a_broken_archive_are_told(write_set: Write, tmp_path: Path) -> None:
    folder = write_set([DOCUMENT], [QUERY])
    with pytest.raises(DataSetError, match=r"neither sessions\.jsonl nor"):
        read_dataset(folder, "session")
    with pytest.raises(DataSetError, match="is no folder"):
        read_dataset(tmp_path / "nowhere")
    (folder / "corpus.jsonl").rename(folder / "corpus.jsonl.gz")
    with pytest.raises(DataSetError, match=r"corpus\.jsonl\.gz, after line 0: cannot be read"):
        read_dataset(folder)


def test_a_sample_is_the_same_for_the_same_seed_and_is_counted(write_set: Write, tea: Tea) -> None:
    found = read_dataset(write_set(*tea))
    sample = found.sampled(2, 1)
    assert sample == found.sampled(2, 1)
    assert (len(sample.queries), dict(sample.left_out)) == (2, {"adversarial": 1, "not in the sample": 1})
    assert found.sampled(3, 1) is found
    assert [one.id for one in found.first(1).queries] == ["q1"]

"""Documents as notes: what a note says, what is kept, what is made anew."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.errors import UserError
from ori_memory.evaluation.dataset import Document, read_dataset
from ori_memory.evaluation.haystack import trial_of
from ori_memory.evaluation.vaults import keep_vault
from ori_memory.memory import Memory

Tea = tuple[list[dict[str, Any]], list[dict[str, Any]]]
Write = Callable[..., Path]

TURNS = [
    Document("a:1", "Session 1", "Ann: hello", "g", "1", "1:56 pm on 8 May, 2023", "Ann", ("a:2",)),
    Document("a:2", "Session 1", "hello Ann", "g", "1", "some day", "Bob", ("Session 1", "No|such")),
    Document("a:3", "", "---\nkey: value\n---\n[[x]]"),
]


def test_a_note_says_what_the_document_said(tmp_path: Path) -> None:
    kept = keep_vault("set", TURNS, tmp_path)
    assert dict(kept.documents) == {"n1.md": "a:1", "n2.md": "a:2", "n3.md": "a:3"}
    texts = [(kept.vault.root / path).read_text(encoding="utf-8") for path in kept.documents]
    assert texts == [
        '---\ntitle: "Session 1"\ncreated: 2023-05-08\nsource: {session: "g/1"}\n---\nAnn: hello\n\n[[n2|Session 1]]\n',
        '---\ntitle: "Session 1"\ndate: "some day"\nsource: {session: "g/1"}\n---\nBob: hello Ann\n\n'
        "[[n1|Session 1]]\n[[No such]]\n",
        "---\n---\n---\nkey: value\n---\n[[x]]\n",
    ]


def test_the_index_understands_it(tmp_path: Path) -> None:
    kept = keep_vault("set", TURNS, tmp_path)
    with Memory.open(kept.vault) as memory:
        first, second, third = memory.index.notes()
        assert (first.title, first.created, first.source.session) == ("Session 1", datetime.date(2023, 5, 8), "g/1")
        assert (third.title, third.words > 0) == ("n3", True)
        assert [link.target for link in memory.index.outgoing(first.path)] == [second.path]
        assert memory.index.report.warnings == ()


def test_odd_titles_survive(tmp_path: Path) -> None:
    titles = ['a "b": c', "- x", "1984", "null", "#tag", "a\\n", "抹茶", "émoji 🍵", "{x}", "'", "\x85\x7f tail"]
    kept = keep_vault("set", [Document(str(place), title, "x") for place, title in enumerate(titles)], tmp_path)
    with Memory.open(kept.vault) as memory:
        assert [note.title for note in memory.index.notes()] == [" ".join(title.split()) for title in titles]


def test_the_day_of_asking_is_the_one_after_the_last_document(tmp_path: Path) -> None:
    assert keep_vault("set", TURNS, tmp_path).today == datetime.date(2023, 5, 9)
    assert keep_vault("set", TURNS[2:], tmp_path).today == datetime.date(2020, 1, 2)


def test_what_was_made_is_used_again_and_other_documents_get_another_vault(tmp_path: Path) -> None:
    kept = keep_vault("set", TURNS, tmp_path)
    (kept.vault.root / "mine.txt").write_text("still here", encoding="utf-8")
    assert keep_vault("set", TURNS, tmp_path).vault.root == kept.vault.root
    assert (kept.vault.root / "mine.txt").exists()
    assert keep_vault("set", TURNS[:2], tmp_path).vault.root != kept.vault.root


def test_a_half_written_one_is_not_used(tmp_path: Path) -> None:
    kept = keep_vault("set", TURNS, tmp_path)
    place = kept.vault.root.parent
    (place / "documents.json").unlink()
    (kept.vault.root / "n2.md").unlink()
    part = place.with_name(f".{place.name}.part")
    part.mkdir()
    (part / "rest").write_text("", encoding="utf-8")
    keep_vault("set", TURNS, tmp_path)
    assert (kept.vault.root / "n2.md").exists() and not part.exists()


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be used"):
        keep_vault("set", TURNS, tmp_path / "file")


class TestPools:
    def test_all_documents_are_one_vault_where_there_are_no_groups(
        self, write_set: Write, tea: Tea, tmp_path: Path
    ) -> None:
        trial = trial_of(read_dataset(write_set(*tea)), folder=tmp_path / "kept")
        assert (trial.pool, [(one.size, len(one.queries)) for one in trial.haystacks]) == ("pooled", [(5, 3)])

    def test_candidates_are_a_vault_a_question(self, write_set: Write, tea: Tea, tmp_path: Path) -> None:
        trial = trial_of(read_dataset(write_set(*tea)), "candidates", folder=tmp_path / "kept")
        assert [(one.label, one.size) for one in trial.haystacks] == [("tiny-q1", 2), ("tiny-q2", 2)]
        assert dict(trial.left_out) == {"adversarial": 1, "without candidates": 1}
        with trial.haystacks[1].opening() as opened:
            assert sorted(opened.ids.values()) == ["d3", "d4"]

    def test_groups_are_a_vault_each(self, write_set: Write, tmp_path: Path) -> None:
        corpus = [{"id": f"{group}{number}", "text": "x", "group": group} for group in "ab" for number in (1, 2)]
        queries = [
            {"id": "1", "text": "x", "gold": ["a1"], "group": "a"},
            {"id": "2", "text": "x", "gold": ["b1"], "group": "b"},
            {"id": "3", "text": "x", "gold": ["b2"]},
            {"id": "4", "text": "x", "gold": ["a1"], "group": "b"},
        ]
        dataset = read_dataset(write_set(corpus, queries))
        trial = trial_of(dataset, folder=tmp_path / "kept")
        assert (trial.pool, [(one.label, one.size) for one in trial.haystacks]) == (
            "group",
            [("tiny-a", 2), ("tiny-b", 2)],
        )
        assert dict(trial.left_out) == {"without a group": 1, "with gold outside their group": 1}
        assert trial_of(dataset, "pooled", folder=tmp_path / "kept").haystacks[0].size == 4

    def test_a_pool_that_the_set_has_not_is_told(self, write_set: Write, tmp_path: Path) -> None:
        dataset = read_dataset(write_set([{"id": "d", "text": "x"}], [{"id": "q", "text": "x", "gold": ["d"]}]))
        with pytest.raises(UserError, match="--pool candidates"):
            trial_of(dataset, "candidates", folder=tmp_path)


def test_an_index_of_another_version_leaves_nothing_behind(write_set: Write, tea: Tea, tmp_path: Path) -> None:
    trial = trial_of(read_dataset(write_set(*tea)), folder=tmp_path / "kept")
    for version in (1, 2):
        with trial.haystacks[0].opening() as opened:
            index = opened.memory.vault.index_path
        connection = sqlite3.connect(index)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.close()
    with trial.haystacks[0].opening() as opened:
        assert opened.memory.index.counts().notes == 5
    assert [file.name for file in index.parent.glob("*broken*")] == []

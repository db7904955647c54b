"""Exports as they come from anywhere: understood whole or refused whole, and never a crash."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from aries_kernel.errors import UserError
from ori_memory.learned.crediting import Credit
from ori_memory.learned.store import LearnedStore

NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=6),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def full(path: Path) -> str:
    """An export with rows in every table."""
    with LearnedStore(path, clock=lambda: NOON) as store:
        store.record_access(["a", "b"])
        store.add_boosts({"a": 0.04}, "s")
        store.record_connections(["a"])
        store.record_credits([Credit("a", ("tea", "\u00fc"), 0.5, "citation"), Credit("gone", (), 1.0, "edit")])
        store.record_shown({"a": 3})
        store.record_pairs([("a", "b")])
        store.record_arm("graph", {"b": [1.0, -2.0]})
        store.forget("z")
        store.reset("gone")
        return store.export()


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    return full(tmp_path_factory.mktemp("full") / "learned.db")


def import_into(folder: Path, data: str) -> None:
    """A refused export leaves nothing; one that was taken is taken again without a change, and can be asked."""
    with LearnedStore(folder / "learned.db", clock=lambda: NOON) as store:
        before = store.export()
        try:
            store.import_(data)
        except UserError as error:
            assert store.export() == before
            assert "\n" not in str(error)
            return
        once = store.export()
        store.import_(data)
        assert store.export() == once
        store.credits(), store.pairs(), store.shown(), store.arms(), store.accesses(), store.boosts()
        store.evidence(), store.connections(), store.credits_about(["tea"], 9), store.latest_credits(9)
        store.import_(once)
        assert store.export() == once


@settings(max_examples=60, deadline=None)
@given(data=some.data())
def test_an_export_that_somebody_edited_is_taken_whole_or_refused_whole(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: some.DataObject
) -> None:
    lines = text.splitlines()
    place = data.draw(some.integers(0, len(lines) - 1))
    document: dict[str, Any] = json.loads(lines[place])
    column = data.draw(some.sampled_from(sorted(document)) | some.text(max_size=5))
    encoded = some.sampled_from([text for text in map(str, document.values())]) | JSON.map(json.dumps)
    document[column] = data.draw(JSON | encoded | some.just("9999-12-31T23:59:59.999999Z"))
    lines[place] = json.dumps(document)
    kept = data.draw(some.permutations(lines[1:])) if place else lines[1:]
    import_into(tmp_path_factory.mktemp("edited"), "\n".join([lines[0], *kept]))


@settings(max_examples=60, deadline=None)
@given(start=some.integers(0), length=some.integers(0, 40), noise=some.text(max_size=8))
def test_an_export_with_a_piece_torn_out_is_taken_whole_or_refused_whole(
    tmp_path_factory: pytest.TempPathFactory, text: str, start: int, length: int, noise: str
) -> None:
    start %= len(text)
    import_into(tmp_path_factory.mktemp("torn"), text[:start] + noise + text[start + length :])


@settings(max_examples=30, deadline=None)
@given(some.text())
def test_no_text_at_all_is_taken_for_an_export_or_crashes(tmp_path_factory: pytest.TempPathFactory, noise: str) -> None:
    head = '{"_format":"ori-learned","version":1}\n'
    for data in (noise, head + noise):
        import_into(tmp_path_factory.mktemp("noise"), data)

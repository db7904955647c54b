"""The watcher on a real folder, with real edits."""

from __future__ import annotations

import queue
from pathlib import Path

import pytest

from ori_memory.index.index import open_index
from ori_memory.index.report import SyncReport
from ori_memory.index.watching import Watcher
from ori_memory.vault.making import adopt_vault
from ori_memory.vault.vault import Vault

LIMIT = 20.0


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    root = tmp_path / "vault"
    root.mkdir()
    return adopt_vault(root).vault


def test_edits_of_others_reach_the_index(vault: Vault) -> None:
    reports: queue.Queue[SyncReport] = queue.Queue()
    with open_index(vault) as index, Watcher(index, reports.put):
        (vault.root / "a.md").write_text("[[b]]", encoding="utf-8")
        assert reports.get(timeout=LIMIT).added == ("a.md",)
        (vault.root / "deep").mkdir()
        (vault.root / "deep/b.md").write_text("zebra", encoding="utf-8")
        while not index.backlinks("deep/b.md"):
            reports.get(timeout=LIMIT)
        (vault.root / "a.md").unlink()
        assert reports.get(timeout=LIMIT).removed == ("a.md",)


def test_a_vault_moved_away_and_back_is_watched_again(vault: Vault) -> None:
    reports: queue.Queue[SyncReport] = queue.Queue()
    (vault.root / "a.md").write_text("first", encoding="utf-8")
    away = vault.root.with_name("away")
    with open_index(vault) as index, Watcher(index, reports.put):
        vault.root.rename(away)
        (away / "b.md").write_text("second", encoding="utf-8")
        away.rename(vault.root)
        assert reports.get(timeout=LIMIT).added == ("b.md",)
        (vault.root / "c.md").write_text("third", encoding="utf-8")
        assert reports.get(timeout=LIMIT).added == ("c.md",)
        assert index.counts().notes == 3


def test_an_error_is_told_and_the_watcher_goes_on(vault: Vault) -> None:
    errors: queue.Queue[Exception] = queue.Queue()
    seen: queue.Queue[SyncReport] = queue.Queue()

    def once(report: SyncReport) -> None:
        seen.put(report)
        if seen.qsize() == 1:
            raise ValueError("no")

    with open_index(vault) as index, Watcher(index, once, errors.put):
        (vault.root / "a.md").write_text("x", encoding="utf-8")
        assert str(errors.get(timeout=LIMIT)) == "no"
        (vault.root / "b.md").write_text("x", encoding="utf-8")
        seen.get(timeout=LIMIT)
        assert seen.get(timeout=LIMIT).added == ("b.md",)


def test_stopping_twice_and_starting_again_is_fine(vault: Vault) -> None:
    with open_index(vault) as index:
        watcher = Watcher(index)
        watcher.start()
        watcher.stop()
        watcher.stop()
        watcher.start()
        watcher.stop()

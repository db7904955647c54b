"""Plans carried out: whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from aries_kernel.contracts.bridge import FileEdit, Plan
from aries_kernel.errors import UserError
from ori_memory.bridging.applying import apply_install, apply_uninstall, restoring
from ori_memory.bridging.receipts import Receipts


@pytest.fixture
def receipts(tmp_path: Path) -> Receipts:
    return Receipts(tmp_path / "state")


def test_where_one_file_cannot_be_written_none_is(tmp_path: Path, receipts: Receipts) -> None:
    first, blocked, made = tmp_path / "a", tmp_path / "file" / "b", tmp_path / "new" / "c"
    first.write_bytes(b"old")
    (tmp_path / "file").write_bytes(b"")
    edits = (FileEdit(first, b"old", b"new"), FileEdit(made, None, b"c"), FileEdit(blocked, None, b"b"))
    with pytest.raises(UserError, match="Nothing was changed"):
        apply_install(Plan(edits), "x", receipts)
    assert first.read_bytes() == b"old" and not made.parent.exists()


def test_a_file_that_changed_since_it_was_planned_is_not_written(tmp_path: Path, receipts: Receipts) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"changed")
    with pytest.raises(UserError, match="try again"):
        apply_install(Plan((FileEdit(file, b"old", b"new"),)), "x", receipts)
    assert file.read_bytes() == b"changed"


def test_folders_that_were_made_go_again_and_those_of_others_stay(tmp_path: Path, receipts: Receipts) -> None:
    (tmp_path / "theirs").mkdir()
    files = [tmp_path / "theirs" / "a", tmp_path / "ours" / "deep" / "b"]
    apply_install(Plan(tuple(FileEdit(file, None, b"x") for file in files)), "x", receipts)
    apply_uninstall(Plan(tuple(FileEdit(file, b"x", None) for file in files)), "x", receipts)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["state", "theirs"]


def test_two_bridges_of_one_file_come_out_in_any_order(tmp_path: Path, receipts: Receipts) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"person")
    apply_install(Plan((FileEdit(file, b"person", b"person --client one"),)), "one", receipts)
    apply_install(Plan((FileEdit(file, b"person --client one", b"person --client one two"),)), "two", receipts)
    cut = Plan((FileEdit(file, b"person --client one two", b"person two"),))
    assert restoring(cut, "one", receipts) == cut
    apply_uninstall(restoring(cut, "one", receipts), "one", receipts)
    last = Plan((FileEdit(file, b"person two", b"person"),))
    apply_uninstall(restoring(last, "two", receipts), "two", receipts)
    assert file.read_bytes() == b"person"


def test_what_was_installed_twice_comes_back_as_it_was_first(tmp_path: Path, receipts: Receipts) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"{ }")
    apply_install(Plan((FileEdit(file, b"{ }", b"1 --mcp"),)), "x", receipts)
    apply_install(Plan((FileEdit(file, b"1 --mcp", b"2 --mcp"),)), "x", receipts)
    (edit,) = restoring(Plan((FileEdit(file, b"2 --mcp", b"{}"),)), "x", receipts).edits
    assert edit.after == b"{ }"


def test_backups_are_kept_and_a_damaged_ledger_stops_nothing(tmp_path: Path, receipts: Receipts) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"0")
    for number in range(30):
        plan = Plan((FileEdit(file, b"%d" % number, b"%d" % (number + 1)),))
        (done,) = apply_install(plan, "x", receipts)
        assert done.backup is not None and done.backup.read_bytes() == b"%d" % number
    assert len(list((receipts.folder / "backups").rglob("*-a"))) == 21
    (edit,) = restoring(Plan((FileEdit(file, b"30", b"cut"),)), "x", receipts).edits
    assert edit.after == b"0"
    (receipts.folder / "receipts.json").write_text("{", encoding="utf-8")
    cut = Plan((FileEdit(file, b"30", b"cut"),))
    assert restoring(cut, "x", receipts) == cut

"""A backup brings everything back, and a hostile one brings nothing."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.errors import UserError
from ori_memory.learned.store import LearnedStore
from ori_memory.operations.archive_format import LEARNED, MANIFEST, BadBackup
from ori_memory.operations.backup import default_backup_file, make_backup
from ori_memory.operations.restoring import restore_backup
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import make_vault
from ori_memory.vault.vault import Vault

NOW = datetime.datetime(2026, 3, 4, 5, 6, 7, tzinfo=datetime.UTC)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    made = make_vault(tmp_path / "vault")
    for path, data in {
        "notes/Ж é.md": b"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\nbody",
        "notes/latin.md": b"caf\xe9",
        "notes/sub/pic.png": bytes(range(256)) * 500,
        ".obsidian/app.json": b"{}",
        ".git/config": b"secret",
    }.items():
        (made.root / path).parent.mkdir(parents=True, exist_ok=True)
        (made.root / path).write_bytes(data)
    os.utime(made.root / "notes" / "latin.md", ns=(1_600_000_000_123_456_789,) * 2)
    with LearnedStore(made.learned_path) as store:
        store.record_access(["n1", "n1", "n2"])
    return made


@pytest.fixture
def archive(vault: Vault, tmp_path: Path) -> Path:
    return make_backup(vault, tmp_path / "b.zip", now=NOW).file


def files(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.name.rpartition(".")[2] not in ("lock", "db", "db-wal", "db-shm")
        if file.name != "own-writes.txt"  # When ori wrote here, which is no part of a vault.
    }


def test_a_restored_vault_is_the_same_vault(vault: Vault, archive: Path, tmp_path: Path) -> None:
    report = restore_backup(archive, tmp_path / "new", now=NOW)
    expected = {path: data for path, data in files(vault.root).items() if not path.startswith((".git/", ".obsidian/"))}
    restored = open_vault(tmp_path / "new")
    assert files(restored.root) == expected
    assert restored.id == vault.id and report.learned == "restored"
    assert (restored.root / "notes/latin.md").stat().st_mtime_ns == 1_600_000_000_123_456_789
    with LearnedStore(restored.learned_path) as store:
        assert {key: access.count for key, access in store.accesses().items()} == {"n1": 2, "n2": 1}


def test_a_backup_tells_what_it_left_out_and_can_leave_out_attachments(vault: Vault, tmp_path: Path) -> None:
    (vault.root / "out.md").symlink_to(tmp_path)
    report = make_backup(vault, tmp_path / "b.zip", now=NOW, with_attachments=False)
    assert set(report.left_out) == {
        ".git (hidden)",
        ".obsidian (hidden)",
        "out.md (a link of the file system)",
        "notes/sub/pic.png",
    }
    assert "ori.config.yaml" in zipfile.ZipFile(report.file).namelist()


def test_a_backup_is_never_written_over_a_file_or_into_the_vault(vault: Vault, archive: Path) -> None:
    before = archive.read_bytes()
    with pytest.raises(UserError, match="is there already"):
        make_backup(vault, archive, now=NOW)
    with pytest.raises(UserError, match="lies in the vault"):
        make_backup(vault, vault.root / "notes" / "b.zip", now=NOW)
    assert archive.read_bytes() == before


def test_its_own_name_is_beside_the_vault_when_one_works_in_it(vault: Vault, tmp_path: Path) -> None:
    assert default_backup_file(vault, vault.root / "notes", NOW) == vault.root.parent / "vault-20260304-050607.ori.zip"
    assert default_backup_file(vault, tmp_path, NOW).parent == tmp_path


def test_restoring_into_the_vault_it_came_from_changes_nothing(vault: Vault, archive: Path) -> None:
    before = files(vault.root)
    report = restore_backup(archive, vault.root, now=NOW)
    assert (report.restored, report.conflicts, report.learned) == ((), (), "merged")
    assert files(vault.root) == before
    with LearnedStore(vault.learned_path) as store:
        assert store.accesses()["n1"].count == 2


def test_a_file_that_differs_stays_and_is_told_of(vault: Vault, archive: Path) -> None:
    (vault.root / "notes/latin.md").write_bytes(b"newer")
    (vault.root / "notes/Ж é.md").unlink()
    report = restore_backup(archive, vault.root, now=NOW)
    assert (report.restored, report.conflicts) == (("notes/Ж é.md",), ("notes/latin.md",))
    assert (vault.root / "notes/latin.md").read_bytes() == b"newer"


def test_force_keeps_the_newer_one_beside(vault: Vault, archive: Path) -> None:
    for text in (b"newer", b"newest"):
        (vault.root / "notes/latin.md").write_bytes(text)
        report = restore_backup(archive, vault.root, now=NOW, is_forced=True)
        assert (vault.root / "notes/latin.md").read_bytes() == b"caf\xe9"
        assert (vault.root / report.kept[0].beside).read_bytes() == text
        assert not report.kept[0].beside.endswith(".md")


def test_a_dry_run_writes_nothing(vault: Vault, archive: Path, tmp_path: Path) -> None:
    (vault.root / "notes/latin.md").unlink()
    before = files(vault.root)
    assert restore_backup(archive, vault.root, now=NOW, is_dry_run=True).restored == ("notes/latin.md",)
    restore_backup(archive, tmp_path / "new", now=NOW, is_dry_run=True)
    assert files(vault.root) == before and not (tmp_path / "new").exists()


def test_a_vault_of_another_id_keeps_its_marker(archive: Path, tmp_path: Path) -> None:
    other = make_vault(tmp_path / "other")
    report = restore_backup(archive, other.root, now=NOW, is_forced=True)
    assert report.conflicts == (".ori/vault.json",)
    assert open_vault(other.root).id == other.id


def test_a_folder_of_other_things_is_refused(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "x").write_text("x", encoding="utf-8")
    with pytest.raises(UserError, match="neither a vault nor empty"):
        restore_backup(archive, tmp_path / "home", now=NOW)


def rewritten(archive: Path, to: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None]) -> Path:
    with zipfile.ZipFile(archive) as old:
        members = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(members.pop(MANIFEST))
    change(manifest, members)
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in members.items():
            new.writestr(name, data)
        new.writestr(MANIFEST, json.dumps(manifest))
    return to


HOSTILE = [
    "../out.md",
    "notes/../../out.md",
    "/etc/out.md",
    "C:/out.md",
    "notes\\..\\out.md",
    "notes//x.md",
    "./x.md",
    ".git/hooks/post-checkout",
    ".ori/index.db",
    "notes/.hidden",
    "",
    "a\0b.md",
]


@pytest.mark.parametrize("path", HOSTILE)
def test_a_path_that_leads_elsewhere_is_refused_before_anything_is_written(
    archive: Path, tmp_path: Path, path: str
) -> None:
    def change(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
        members[path or "x"] = b"evil"
        digest = hashlib.sha256(b"evil").hexdigest()
        manifest["files"].append({"path": path, "size": 4, "sha256": digest, "mtime_ns": 0})

    bad = rewritten(archive, tmp_path / "bad.zip", change)
    with pytest.raises(BadBackup):
        restore_backup(bad, tmp_path / "deep" / "new", now=NOW)
    assert not (tmp_path / "deep").exists() and not (tmp_path / "out.md").exists()


def test_a_link_in_the_vault_that_leads_out_is_not_written_through(archive: Path, vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    other = make_vault(tmp_path / "other")
    (other.root / "notes" / "sub").symlink_to(tmp_path / "outside")
    with pytest.raises(BadBackup, match="leads out"):
        restore_backup(archive, other.root, now=NOW)
    assert list((tmp_path / "outside").iterdir()) == []


def _lost(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
    del members["notes/latin.md"]


def _stranger(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
    members["notes/new.md"] = b"x"


def _altered(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
    members["notes/latin.md"] = b"cafe"


def _other_size(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
    members["notes/latin.md"] = b"c" * 1_000


def _twice(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
    manifest["files"].append(manifest["files"][0])


def _newer(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
    manifest["version"] = 99


def _malformed(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
    manifest["files"] = [{"path": 3}]


def _learned_elsewhere(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
    members["notes/l.db"] = members.pop(LEARNED)
    manifest["learned"]["path"] = "notes/l.db"


def _bomb(manifest: dict[str, Any], members: dict[str, bytes]) -> None:
    data = bytes(65 << 20)
    members["notes/zero.md"] = data
    manifest["files"].append(
        {"path": "notes/zero.md", "size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "mtime_ns": 0}
    )


@pytest.mark.parametrize(
    "change", [_lost, _stranger, _altered, _other_size, _twice, _newer, _malformed, _learned_elsewhere, _bomb]
)
def test_a_backup_that_was_tampered_with_restores_nothing(
    archive: Path, tmp_path: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None]
) -> None:
    with pytest.raises(BadBackup):
        restore_backup(rewritten(archive, tmp_path / "bad.zip", change), tmp_path / "new", now=NOW)
    assert not (tmp_path / "new").exists()


def test_a_link_in_the_archive_is_refused(archive: Path, tmp_path: Path) -> None:
    info = zipfile.ZipInfo("notes/link.md")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr(info, "/etc/passwd")
    with pytest.raises(BadBackup):
        restore_backup(archive, tmp_path / "new", now=NOW)


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04", None])
def test_what_is_no_backup_is_told_as_such(tmp_path: Path, data: bytes | None) -> None:
    file = tmp_path / "x.zip"
    if data is None:
        with zipfile.ZipFile(file, "w") as opened:
            opened.writestr("a.md", "x")
    else:
        file.write_bytes(data)
    with pytest.raises(BadBackup, match="no backup of ori"):
        restore_backup(file, tmp_path / "new", now=NOW)
    with pytest.raises(UserError, match="is not there"):
        restore_backup(tmp_path / "absent.zip", tmp_path / "new", now=NOW)


def test_any_damaged_byte_is_noticed_or_harmless(archive: Path, vault: Vault, tmp_path: Path) -> None:
    whole = archive.read_bytes()
    expected = {path: data for path, data in files(vault.root).items() if not path.startswith((".git/", ".obsidian/"))}
    for number, place in enumerate(range(10, len(whole), len(whole) // 12)):
        broken = bytearray(whole)
        broken[place] ^= 0x55
        file, target = tmp_path / f"d{number}.zip", tmp_path / f"new{number}"
        file.write_bytes(bytes(broken))
        try:
            restore_backup(file, target, now=NOW)
        except UserError:
            assert not target.exists()
        else:
            assert files(target) == expected

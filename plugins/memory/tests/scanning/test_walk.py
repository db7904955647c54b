"""Which files are notes."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ori_memory.scanning.walk import Scan, scan_notes


def make(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x", encoding="utf-8")


def paths(scan: Scan) -> list[str]:
    return [file.path for file in scan.files]


def test_hidden_and_skipped_folders_are_not_entered(tmp_path: Path) -> None:
    make(
        tmp_path,
        "a.md",
        "b.MD",
        "c.txt",
        ".obsidian/x.md",
        ".git/y.md",
        "templates/t.md",
        "deep/node_modules/n.md",
        "deep/d.md",
    )
    assert paths(scan_notes(tmp_path, ("templates/", "node_modules/"))) == ["a.md", "b.MD", "deep/d.md"]


def test_a_folder_named_from_the_root_is_left_out_there_only(tmp_path: Path) -> None:
    make(tmp_path, "templates/t.md", "docs/templates/t.md", "docs/build/b.md", "build/b.md")
    (tmp_path / "docs" / ".gitignore").write_text("/build/\n", encoding="utf-8")
    assert paths(scan_notes(tmp_path, ("/templates/",))) == ["build/b.md", "docs/templates/t.md"]


def test_a_vault_inside_is_left_to_itself_and_told(tmp_path: Path) -> None:
    make(tmp_path, "a.md", ".ori/vault.json", "inner/.ori/vault.json", "inner/b.md", "bare/.ori/x", "bare/c.md")
    scan = scan_notes(tmp_path)
    assert paths(scan) == ["a.md", "bare/c.md"]
    assert [(one.path, one.reason) for one in scan.left_out] == [
        ("inner", "it is a vault of its own; name it with --vault")
    ]


def test_links_are_followed_inside_the_vault_once_and_never_out_of_it(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    make(root, "a.md", "real/b.md", ".hidden/c.md")
    make(tmp_path, "outside/secret.md")
    for name, target in {
        "loop": root, "real/up": root / "real", "again": root / "real", "copy.md": root / "a.md",
        "out": tmp_path / "outside", "out.md": tmp_path / "outside/secret.md", "gone.md": root / "nowhere.md",
        "shown.md": root / ".hidden/c.md",
    }.items():  # fmt: skip
        (root / name).symlink_to(target)
    scan = scan_notes(root)
    assert paths(scan) == ["a.md", "real/b.md", "shown.md"]
    assert {"out", "out.md"} <= {left.path for left in scan.left_out}


def test_a_missing_root_is_an_error_and_hides_everything(tmp_path: Path) -> None:
    scan = scan_notes(tmp_path / "unmounted")
    assert scan.files == () and scan.errors and scan.hides("any/note.md")


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the judge here")
def test_ignore_rules_mean_what_git_means(tmp_path: Path) -> None:
    make(
        tmp_path, "keep.md", "draft.md", "a/draft.md", "a/keep.md", "build/x.md",
        "a/build/y.md", "b/only.md", "b/sub/only.md",
        "logs/a.md", "logs/keep/b.md", "sp ace.md", "#hash.md", "!bang.md", "x/deep/er/z.md", "x/z.md", "UPPER.md",
    )  # fmt: skip
    (tmp_path / ".gitignore").write_text(
        "# comment\ndraft.md\n!a/draft.md\n/build/\nlogs/*\n!logs/keep/\n"
        "sp\\ ace.md\n\\#hash.md\n\\!bang.md\nx/**/z.md\n[U]PPER.md\n\n",
        encoding="utf-8",
    )
    (tmp_path / "b/.gitignore").write_text("only.md\n!sub/only.md\n", encoding="utf-8")
    (tmp_path / "a/.gitignore").write_text("draft.md\n", encoding="utf-8")
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    options = {"cwd": tmp_path, "env": environ, "check": True, "timeout": 30}
    subprocess.run(["git", "init", "-q"], **options)  # type: ignore[call-overload]
    command = ["git", "ls-files", "-z", "--others", "--exclude-standard"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, **options).stdout.decode("utf-8").split("\0")  # type: ignore[call-overload]
    assert paths(scan_notes(tmp_path)) == sorted(name for name in listed if name.endswith(".md"))


def test_oriignore_has_the_last_word_over_gitignore_and_settings(tmp_path: Path) -> None:
    make(tmp_path, "templates/t.md", "private/p.md", "a.md")
    (tmp_path / ".gitignore").write_text("private/\n", encoding="utf-8")
    (tmp_path / ".oriignore").write_text("!private/\n!templates/\na.md\n", encoding="utf-8")
    assert paths(scan_notes(tmp_path, ("templates/",))) == ["private/p.md", "templates/t.md"]


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_link_to_the_vault_within_it_is_no_way_out_and_no_second_vault(tmp_path: Path) -> None:
    make(tmp_path, "a/b.md")
    (tmp_path / "a" / "loop").symlink_to("..")
    scan = scan_notes(tmp_path, ())
    assert (paths(scan), scan.left_out) == (["a/b.md"], ())

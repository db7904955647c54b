"""Which files belong to a project."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest
from body_trees import write
from hypothesis import given, settings
from hypothesis import strategies as st

from aries_body.tree.limits import Limits
from aries_body.tree.listing import Listing, list_tree
from aries_body.tree.walking import walk

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is missing")
needs_links = pytest.mark.skipif(os.name == "nt", reason="links, pipes and bytes in names are not for everybody there")


def git(root: Path, *words: str) -> None:
    settings = ["-c", "user.email=a@b", "-c", "user.name=a", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *settings, *words], cwd=root, check=True, capture_output=True, timeout=60)


def listed(root: Path, **more: object) -> Listing:
    return list_tree(root, Limits(**more))  # type: ignore[arg-type]


@needs_git
def test_tracked_and_untracked_files_are_listed_and_ignored_ones_are_not(root: Path) -> None:
    git(root, "init", "-q")
    write(root, {".gitignore": "out/\n*.log\n", "a.py": "", "b/c.py": "", "out/d.py": "", "e.log": "", "kept.log": ""})
    git(root, "add", "-f", "a.py", "kept.log")
    assert list(listed(root).files) == [".gitignore", "a.py", "b/c.py", "kept.log"]


@needs_git
def test_a_tracked_file_that_was_deleted_is_gone(root: Path) -> None:
    git(root, "init", "-q")
    write(root, {"a.py": "", "b.py": ""})
    git(root, "add", ".")
    (root / "a.py").unlink()
    assert list(listed(root).files) == ["b.py"]


@needs_git
def test_a_part_of_a_repository_is_listed_alone(root: Path) -> None:
    git(root, "init", "-q")
    write(root, {"a.py": "", "part/b.py": "", "part/in/c.py": ""})
    assert list(listed(root / "part").files) == ["b.py", "in/c.py"]


@needs_git
def test_an_ignored_folder_that_is_asked_for_is_walked(root: Path) -> None:
    git(root, "init", "-q")
    write(root, {".gitignore": "work/\n", "work/a.py": ""})
    assert list(listed(root / "work").files) == ["a.py"]


@needs_git
def test_a_folder_called_build_is_kept_where_no_rule_ignores_it(root: Path) -> None:
    git(root, "init", "-q")
    write(root, {"src/build/steps.py": "", "dist/x.py": "", ".github/y.py": ""})
    assert list(listed(root).files) == [".github/y.py", "dist/x.py", "src/build/steps.py"]


@needs_git
def test_submodules_belong_to_the_project_and_nested_repositories_do_not(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    write(other, {"lib.py": ""})
    git(other, "add", ".")
    git(other, "commit", "-qm", "x")
    git(root, "init", "-q")
    git(root, "submodule", "add", "-q", str(other), "sub")
    write(root, {"a.py": "", "nested/b.py": ""})
    git(root / "nested", "init", "-q")
    found = listed(root)
    assert list(found.files) == [".gitmodules", "a.py", "sub/lib.py"]
    assert found.skipped == {"nested/": "a repository of its own"}
    assert found.notes == ("sub is a submodule",)
    assert "nested/b.py" in list_tree(root, Limits(), with_nested=True).files


@needs_git
def test_a_repository_cannot_run_a_program_through_its_settings(root: Path) -> None:
    git(root, "init", "-q")
    write(root, {"a.py": "", "hook.sh": "#!/bin/sh\ntouch was-run\n"})
    (root / "hook.sh").chmod(0o755)
    git(root, "config", "core.fsmonitor", str(root / "hook.sh"))
    assert list(listed(root).files) == ["a.py", "hook.sh"]


@needs_git
def test_variables_of_the_environment_do_not_lead_git_elsewhere(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(root, "init", "-q")
    write(root, {"a.py": ""})
    monkeypatch.setenv("GIT_DIR", str(root / "nowhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(root / "nothing"))
    assert list(listed(root).files) == ["a.py"]


@needs_git
def test_where_git_refuses_the_folder_is_walked_and_that_is_said(root: Path) -> None:
    write(root, {".git/HEAD": "nonsense", "a.py": ""})
    found = listed(root)
    assert list(found.files) == ["a.py"]
    assert len(found.notes) == 1 and "git could not list the files" in found.notes[0]


@pytest.mark.parametrize("has_git", [False, pytest.param(True, marks=needs_git)])
def test_what_others_wrote_is_left_out_by_folder_and_said(root: Path, has_git: bool) -> None:
    if has_git:
        git(root, "init", "-q")
    write(
        root,
        {
            "a.py": "", "node_modules/x/index.js": "", "lib/site-packages/y.py": "", "my-env/pyvenv.cfg": "",
            "my-env/lib/z.py": "", "web/vendor/v.js": "", "third_party/t.c": "", ".venv/w.py": "",
            "target/CACHEDIR.TAG": "", "target/made.rs": "", "vendoring.py": "",
        },
    )  # fmt: skip
    found = listed(root)
    assert list(found.files) == ["a.py", "vendoring.py"]
    assert found.skipped == {
        ".venv/": "installed packages", "lib/site-packages/": "installed packages", "my-env/": "a virtual environment",
        "node_modules/": "installed packages", "target/": "a cache", "third_party/": "vendored code",
        "web/vendor/": "vendored code",
    }  # fmt: skip


def test_limits_leave_out_what_is_above_them_and_say_so(root: Path) -> None:
    write(root, {"a.py": "1", "b.py": "2", "c.py": "3", "large.py": "x" * 50})
    found = listed(root, max_files=2, max_file_bytes=40)
    assert list(found.files) == ["a.py", "b.py"]
    assert found.skipped == {"c.py": "beyond the limit of the whole tree", "large.py": "larger than 40 bytes (50)"}
    assert "1 files were left out" in found.notes[0]


@needs_links
def test_links_pipes_and_sockets_are_never_opened_and_said(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("secret = 1", encoding="utf-8")
    write(root, {"a.py": "", "in/b.py": ""})
    (root / "out.py").symlink_to(outside)
    (root / "same.py").symlink_to("a.py")
    (root / "dead.py").symlink_to("nothing.py")
    (root / "circle.py").symlink_to("circle.py")
    (root / "in/up").symlink_to("..")
    os.mkfifo(root / "pipe.py")
    with socket.socket(socket.AF_UNIX) as opened:
        here = Path.cwd()
        os.chdir(root)
        try:
            opened.bind("sock.py")
        finally:
            os.chdir(here)
        found = listed(root)
    assert list(found.files) == ["a.py", "in/b.py"]
    assert found.skipped == {
        "circle.py": "a link that leads in circles", "dead.py": "a link that leads nowhere",
        "in/up": "a link that leads around in the tree", "out.py": "a link that leads out of the tree",
        "pipe.py": "a named pipe", "same.py": "a link to a.py", "sock.py": "a socket",
    }  # fmt: skip


@needs_links
def test_a_name_that_is_no_text_survives(root: Path) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    try:
        (root / name).write_text("x = 1", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes no such name")
    assert list(listed(root).files) == [name]


def test_a_folder_that_cannot_be_listed_is_said(root: Path) -> None:
    write(root, {"a.py": "", "shut/b.py": ""})
    (root / "shut").chmod(0)
    try:
        if os.access(root / "shut", os.R_OK):
            pytest.skip("this account may read everything")
        assert walk(root).notes == ["shut/ cannot be listed: Permission denied"]
    finally:
        (root / "shut").chmod(0o700)


NAMES = ["a", "b", "ab", "a.log", "b.txt", "build", "x y", "[a]"]
LINES = st.one_of(
    st.sampled_from(
        [
            *("*.log", "!a.log", "build/", "/a", "a/", "!a/", "**/b", "a/**", "a/**/b", "*/", "!*/", "*", "/*", "a b"),
            *(
                "\\#c",
                "#c",
                "!n",
                "[ab]",
                "[!a]",
                "[a-b]*",
                "\\[a\\]",
                "a*b",
                "?",
                "a/b",
                "/a/b/",
                "**",
                "**/",
                "build/*",
            ),
            *("!build/a", "", " ", "!", "/"),
        ]
    ),
    st.text("ab*?/!", max_size=5),
)
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)


@needs_git
@settings(max_examples=60)
@given(st.lists(LINES, max_size=5), st.lists(LINES, max_size=3), st.sets(PATHS, max_size=12))
def test_a_walk_finds_what_git_lists(top: list[str], inner: list[str], paths: set[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        git(root, "init", "-q")
        for path in sorted(paths):
            place = root / path
            if not any(parent.is_file() for parent in place.parents) and not place.exists():
                write(root, {path: ""})
        write(root, {".gitignore": "\n".join(top)})
        if (root / "a").is_dir():
            write(root, {"a/.gitignore": "\n".join(inner)})
        by_git = set(listed(root).files)
        shutil.rmtree(root / ".git")
        assert set(listed(root).files) == by_git

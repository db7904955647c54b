"""Where paths lead, and opening what was judged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aries_kernel.broker.workspace import Workspace, open_regular
from aries_kernel.errors import ToolFailed

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "place").mkdir()
    return Workspace(tmp_path / "place")


def test_a_relative_path_starts_at_the_root(workspace: Workspace) -> None:
    located = workspace.locate("a/b.txt")
    assert (located.real, located.is_inside, located.shown) == (workspace.root / "a/b.txt", True, "a/b.txt")


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/", "/etc/passwd", "../place2/x", "./.././x"])
def test_paths_that_leave_are_outside(workspace: Workspace, path: str) -> None:
    assert not workspace.locate(path).is_inside


@pytest.mark.parametrize("path", [".", "a/..", "../place", "../place/x", "x/../y"])
def test_paths_that_come_back_are_inside(workspace: Workspace, path: str) -> None:
    assert workspace.locate(path).is_inside


@posix_only
@pytest.mark.parametrize("name", ["f", "f/new", "dangling", "dangling/new", "chain", "relative"])
def test_links_to_the_outside_are_outside(workspace: Workspace, tmp_path: Path, name: str) -> None:
    (tmp_path / "outside").mkdir()
    (workspace.root / "f").symlink_to(tmp_path / "outside")
    (workspace.root / "dangling").symlink_to(tmp_path / "nowhere")
    (workspace.root / "chain").symlink_to("f")
    (workspace.root / "relative").symlink_to("../outside/deep/er")
    assert not workspace.locate(name).is_inside


@posix_only
def test_a_root_that_is_itself_linked_works(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    workspace = Workspace(tmp_path / "link")
    located = workspace.locate(str(tmp_path / "link" / "a"))
    assert located.is_inside and located.shown == "a"


@posix_only
@pytest.mark.parametrize("path", ["loop", "loop/x", "one"])
def test_a_loop_of_links_is_an_error(workspace: Workspace, path: str) -> None:
    (workspace.root / "loop").symlink_to("loop")
    (workspace.root / "one").symlink_to("two")
    (workspace.root / "two").symlink_to("one")
    with pytest.raises(ToolFailed):
        workspace.locate(path)


@pytest.mark.parametrize("path", ["a\0b", "\ud800", "x" * 5_000, "~/\ud800"])
def test_what_no_file_system_takes_is_an_error(workspace: Workspace, path: str) -> None:
    with pytest.raises(ToolFailed):
        workspace.locate(path)


def test_further_folders_count_as_inside(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "more").mkdir()
    workspace = Workspace(tmp_path / "work", (tmp_path / "more",))
    located = workspace.locate("../more/a")
    assert located.is_inside and located.shown == str(tmp_path / "more" / "a")


def test_a_tilde_is_the_home_folder_only_at_the_start(workspace: Workspace) -> None:
    assert workspace.locate("~").real == Path(os.path.realpath(Path.home()))
    assert workspace.locate("a~").is_inside and workspace.locate("~odd").is_inside


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(st.characters(codec=None), max_size=20))
def test_any_path_is_located_or_refused_and_inside_means_below_the_root(workspace: Workspace, path: str) -> None:
    try:
        located = workspace.locate(path)
    except ToolFailed:
        return
    assert located.real.is_absolute()
    assert located.is_inside == located.real.is_relative_to(workspace.root)


def test_a_regular_file_is_opened(workspace: Workspace) -> None:
    (workspace.root / "a").write_bytes(b"x")
    with os.fdopen(open_regular(workspace.locate("a").real), "rb") as file:
        assert file.read() == b"x"


def test_a_missing_file_is_an_os_error(workspace: Workspace) -> None:
    with pytest.raises(FileNotFoundError):
        open_regular(workspace.root / "a" / "b")


@posix_only
def test_a_link_in_place_of_the_file_is_not_followed(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"s")
    real = workspace.locate("a").real
    real.symlink_to(tmp_path / "secret")
    with pytest.raises(ToolFailed, match="link"):
        open_regular(real)


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="needs O_PATH")
def test_a_link_in_place_of_a_folder_on_the_way_is_not_followed(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a").write_bytes(b"s")
    real = workspace.locate("folder/a").real
    (workspace.root / "folder").symlink_to(tmp_path / "outside")
    with pytest.raises(OSError):
        open_regular(real)


@posix_only
def test_pipes_folders_and_devices_are_refused_at_once(workspace: Workspace) -> None:
    os.mkfifo(workspace.root / "pipe")
    for path, kind in (
        (workspace.root / "pipe", "named pipe"),
        (workspace.root, "folder"),
        (Path("/dev/null"), "device"),
    ):
        with pytest.raises(ToolFailed, match=kind):
            open_regular(path)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts open files in /proc")
def test_a_refusal_leaves_no_file_open(workspace: Workspace) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for path in (workspace.root, workspace.root / "a/b/c", Path("/dev/null")):
        with pytest.raises((ToolFailed, OSError)):
            open_regular(path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before

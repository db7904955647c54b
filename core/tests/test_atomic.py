"""A file is whole or untouched."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from aries_kernel.atomic import is_temporary, replace_bytes

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")

_WRITER = """
import sys
from pathlib import Path
from aries_kernel.atomic import replace_bytes
file = Path(sys.argv[1])
print("ready", flush=True)
while True:
    for letter in (b"a", b"b"):
        replace_bytes(file, letter * 300_000)
"""


def test_a_new_file_is_written(tmp_path: Path) -> None:
    replace_bytes(tmp_path / "a", b"x")
    assert (tmp_path / "a").read_bytes() == b"x"


@posix_only
def test_a_new_file_gets_the_mode_that_is_asked_for(tmp_path: Path) -> None:
    replace_bytes(tmp_path / "a", b"x", mode=0o600)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


@posix_only
@pytest.mark.parametrize("mode", [0o600, 0o755, 0o666, 0o440])
def test_the_mode_of_an_old_file_stays(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "a"
    file.touch()
    file.chmod(mode)
    replace_bytes(file, b"x", mode=0o644)
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_of_an_old_file_stays(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.touch()
    os.chown(file, 12345, 12346)
    replace_bytes(file, b"x")
    assert (file.stat().st_uid, file.stat().st_gid) == (12345, 12346)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        replace_bytes(tmp_path / "folder", b"x")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


def test_a_name_of_the_greatest_length_fits(tmp_path: Path) -> None:
    replace_bytes(tmp_path / ("字" * 85), b"x")
    assert (tmp_path / ("字" * 85)).read_bytes() == b"x"


@posix_only
def test_what_a_dead_writer_left_goes_with_the_next_write_and_a_living_ones_stays(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(timeout=10)
    dead = tmp_path / f".aries-{ended.pid}-0123456789ab.tmp"
    alive = tmp_path / f".aries-{os.getpid()}-0123456789ab.tmp"
    other = tmp_path / f".aries-{ended.pid}.tmp"
    for file in (dead, alive, other):
        file.touch()
    replace_bytes(tmp_path / "a", b"x")
    assert not dead.exists() and alive.exists() and other.exists()
    assert is_temporary(dead.name) and not is_temporary(other.name)


@posix_only
def test_a_killed_writer_leaves_the_old_or_the_new_file(tmp_path: Path) -> None:
    file = tmp_path / "a"
    replace_bytes(file, b"a" * 300_000)
    for number in range(12):
        writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(file)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        for _ in range(number * 3):
            assert file.read_bytes() in (b"a" * 300_000, b"b" * 300_000)
        writer.send_signal(signal.SIGKILL)
        writer.wait(timeout=10)
        writer.stdout.close()
        assert file.read_bytes() in (b"a" * 300_000, b"b" * 300_000)
    replace_bytes(file, b"end")
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="the system has no extended attributes")
def test_extended_attributes_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    try:
        os.setxattr(file, "user.note", b"kept")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    replace_bytes(file, b"new")
    assert file.read_bytes() == b"new" and os.getxattr(file, "user.note") == b"kept"

"""Writers that are killed, and writers that work at the same time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Bench

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL and locks of folders")

_START = """
import asyncio, sys
from pathlib import Path
from aries_kernel.testing.workspaces import make_context
from aries_tool_files.edit import Edit
from aries_tool_files.write import Write
context = make_context(Path(sys.argv[1]))
edit, write = Edit(context), Write(context)
def change(old, new):
    asyncio.run(edit.run(edit.arguments(path="a.txt", old=old, new=new)))
print("ready", flush=True)
"""
_COUNT = (
    _START
    + """
name = sys.argv[2]
for number in range(25):
    change(f"{name}={number};", f"{name}={number + 1};")
"""
)
_FLIP = (
    _START
    + """
while True:
    change("head: one", "head: two")
    asyncio.run(write.run(write.arguments(path="a.txt", content="head: one\\n" + "x\\n" * 100_000)))
"""
)


def _start(bench: Bench, code: str, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", code, str(bench.root.parent), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_edits_of_one_file_by_two_processes_are_all_there(bench: Bench) -> None:
    file = bench.file("a.txt", b"left=0;\nright=0;\n")
    writers = [_start(bench, _COUNT, name) for name in ("left", "right")]
    for writer in writers:
        _, problems = writer.communicate(timeout=60)
        assert writer.returncode == 0, problems.decode()
    assert file.read_bytes() == b"left=25;\nright=25;\n"


def test_a_kill_leaves_old_or_new_and_the_next_write_removes_what_was_left(bench: Bench) -> None:
    rest = b"x\n" * 100_000
    whole = {b"head: one\n" + rest, b"head: two\n" + rest}
    file = bench.file("a.txt", b"head: one\n" + rest)
    for number in range(8):
        writer = _start(bench, _FLIP)
        assert writer.stdout is not None and writer.stderr is not None
        assert writer.stdout.readline() == b"ready\n"
        for _ in range(5 + 7 * number):
            assert file.read_bytes() in whole
        writer.send_signal(signal.SIGKILL)
        writer.communicate(timeout=10)
        assert file.read_bytes() in whole
        assert bench.text("Glob", pattern="*") == "a.txt"
        bench.text("Write", path="a.txt", content="head: one\n" + rest.decode())
    bench.text("Write", path="a.txt", content="end\n")
    assert [entry.name for entry in bench.root.iterdir()] == ["a.txt"]

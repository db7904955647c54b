"""The cache on the disk: faster, and never anything else."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from body_trees import TOYS, write
from toy import Toy, answers

from aries_body.index.packs import Packs
from aries_body.index.project import Project

Open = Callable[..., Project]
FILES = {"a.toy": "import b\ndef one\ncall b.two\n", "b.toy": "def two\n"}


def _settle(root: Path) -> None:
    """Make files old enough for their times to be trusted."""
    for path in root.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))


class Counting(Packs):
    """Packs that tell how often a file was read."""

    def __init__(self) -> None:
        super().__init__(TOYS, self._counted)
        self.reads: list[str] = []

    def _counted(self, suffix: str) -> object:
        reads = self.reads

        class Counted(Toy):
            def read(self, source: bytes, path: str, *, is_final: bool = False) -> object:  # type: ignore[override]
                reads.append(path)
                return super().read(source, path, is_final=is_final)

        return Counted


def test_a_second_start_reads_no_file_and_answers_the_same(toys: Open) -> None:
    first = toys(dict(FILES))
    expected = answers(first)
    first.close()
    packs = Counting()
    second = toys(packs=packs)
    assert packs.reads == []
    assert answers(second) == expected


def test_what_was_read_before_is_not_read_again_though_its_time_changed(toys: Open, root: Path) -> None:
    packs = Counting()
    project = toys(dict(FILES), packs=packs)
    write(root, {"a.toy": "def other\n"})
    project.refresh()
    write(root, dict(FILES))
    project.refresh()
    assert sorted(packs.reads) == ["a.toy", "a.toy", "b.toy"]
    assert project.linker.links["a.toy"].edges


def test_what_was_too_young_to_be_trusted_is_read_once_more_and_not_with_every_start(toys: Open) -> None:
    packs = Counting()
    toys({**FILES, "bad.toy": "fail"}, packs=packs).close()
    for seconds in (10, 20, 30):
        packs.reads.clear()
        project = toys(packs=packs, now=lambda later=seconds: time.time_ns() + later * 10**9)
        assert "bad.toy" in project.skipped
        project.close()
    assert packs.reads == []


def test_a_pack_of_another_version_reads_everything_again(toys: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    toys(dict(FILES)).close()
    monkeypatch.setattr(Toy, "version", "2")
    packs = Counting()
    toys(packs=packs)
    assert sorted(packs.reads) == ["a.toy", "b.toy"]


def test_a_pack_that_is_installed_later_reads_files_that_were_text_before(toys: Open, root: Path) -> None:
    before = toys(dict(FILES), packs=Packs({}))
    assert before.sources == []
    before.close()
    assert toys().sources == ["a.toy", "b.toy"]


def test_a_pack_that_is_gone_leaves_text(toys: Open) -> None:
    toys(dict(FILES)).close()
    after = toys(packs=Packs({}))
    assert after.sources == [] and after.linker.links == {}


def _cache_file(tmp_path: Path) -> Path:
    [file] = (tmp_path / "cache" / "graph").glob("*.db")
    return file


@pytest.mark.parametrize("damage", ["cut", "noise", "empty", "text", "other tables"])
def test_a_damaged_cache_is_made_again(toys: Open, tmp_path: Path, damage: str) -> None:
    project = toys(dict(FILES))
    expected = answers(project)
    project.close()
    file = _cache_file(tmp_path)
    data = bytearray(file.read_bytes())
    if damage == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif damage == "noise":
        for place in range(200, len(data), 97):
            data[place] ^= 0x5A
        file.write_bytes(data)
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "text":
        file.write_text("no database\n" * 100, encoding="utf-8")
    else:
        file.unlink()
        with sqlite3.connect(file) as connection:
            connection.execute("CREATE TABLE facts (something)")
        connection.close()
    assert answers(toys()) == expected
    again = toys()
    assert answers(again) == expected and again.notes == ()


@pytest.mark.parametrize("table", ["facts", "bound", "state"])
def test_rows_that_are_lost_while_the_project_is_open_are_made_again(toys: Open, tmp_path: Path, table: str) -> None:
    files = {**FILES, "c.toy": "from a import one\ncall one\n"}
    toys(dict(files)).close()
    project = toys()
    expected = answers(toys(cache_folder=None))
    with sqlite3.connect(_cache_file(tmp_path)) as connection:
        connection.execute(f"DELETE FROM {table}")
    connection.close()
    assert answers(project) == expected
    write(project.root, {"a.toy": "def one\ndef more\n"})
    project.refresh()
    assert answers(project) == answers(toys(cache_folder=None))


def test_a_row_with_flipped_bits_is_not_believed(toys: Open, tmp_path: Path) -> None:
    project = toys(dict(FILES))
    expected = answers(project)
    project.close()
    with sqlite3.connect(_cache_file(tmp_path)) as connection:
        for table, column in (("bound", "answers"), ("bound", "rest"), ("state", "value")):
            for row, value in (
                connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall() if table != "state" else []
            ):
                spoiled = bytes([*value[:-2], value[-2] ^ 1, value[-1]])
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (spoiled, row))
    connection.close()
    assert answers(toys()) == expected


def test_without_a_folder_that_can_be_written_everything_works_and_that_is_said(toys: Open, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    project = toys(dict(FILES), cache_folder=tmp_path / "file")
    assert project.linker.links["a.toy"].edges
    assert "nothing is kept" in project.notes[0]


def test_two_projects_that_share_a_cache_do_not_disturb_each_other(toys: Open, root: Path) -> None:
    one, other = toys(dict(FILES)), toys()
    write(root, {"b.toy": "def three\n", "c.toy": "import a\nuse a.one\n"})
    one.refresh()
    one.save()
    assert len(answers(other)) == 2
    write(root, {"b.toy": "def two\ndef three\n"})
    other.refresh()
    one.refresh()
    fresh = answers(toys(cache_folder=None))
    assert answers(one) == fresh and answers(other) == fresh
    one.close()
    other.close()
    assert answers(toys()) == fresh


OPENING = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from body_trees import TOYS
from aries_body.index.packs import Packs
from aries_body.index.project import Project
project = Project.open(Path(sys.argv[1]), cache_folder=Path(sys.argv[2]), packs=Packs(TOYS), processes=1)
print(len(project.linker.links), flush=True)
project.close()
"""


def test_processes_that_start_together_or_are_killed_leave_a_good_cache(toys: Open, root: Path, tmp_path: Path) -> None:
    write(root, {f"m{number}.toy": f"import m{number + 1}\ndef f\ncall m{number + 1}.f\n" for number in range(300)})
    command = [sys.executable, "-c", OPENING, str(root), str(tmp_path / "cache"), str(Path(__file__).parents[1])]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(4)]
    for number, process in enumerate(running):
        if number % 2:
            process.kill()
    outputs = [process.communicate(timeout=120)[0] for process in running]
    assert [output.strip() for output in outputs[::2]] == [b"300", b"300"]
    assert answers(toys()) == answers(toys(cache_folder=None))


def test_a_write_within_the_same_tick_is_seen(toys: Open, root: Path) -> None:
    project = toys({"a.toy": "def one\n"})
    stamp = (root / "a.toy").stat()
    for name in ("two", "six", "ten"):
        write(root, {"a.toy": f"def {name}\n"})
        # The same size, and the same time as far as a program can set it.
        os.utime(root / "a.toy", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        project.refresh()
        assert [symbol.name for symbol in project.facts("a.toy").symbols] == [name]


def test_files_that_are_old_are_not_read_again_by_a_refresh(toys: Open) -> None:
    project = toys(dict(FILES), now=lambda: time.time_ns() + 10_000_000_000)
    assert project.refresh().texts == []

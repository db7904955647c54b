"""The file that questions are noted in."""

from __future__ import annotations

import datetime
import shutil
import threading
from pathlib import Path

import pytest

from ori_memory.learned.events import Event
from ori_memory.learning.spool import Spool

NOW = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)


def event(number: int = 0) -> Event:
    return Event("s", NOW, "asked", {"words": ["tea"], "notes": [str(number)]}, "client")


def test_what_was_noted_is_taken_once_as_it_was(tmp_path: Path) -> None:
    noted = [event(number) for number in range(3)]
    Spool(tmp_path).note(noted[:2])
    Spool(tmp_path).note(noted[2:])
    with Spool(tmp_path).taking() as taken:
        assert taken == noted
    with Spool(tmp_path).taking() as taken:
        assert taken == []
    assert list(tmp_path.iterdir()) == []


def test_what_could_not_be_counted_is_there_the_next_time(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.note([event()])
    with pytest.raises(OSError, match="disk"), spool.taking():
        raise OSError("the disk is full")
    assert spool.has_notes
    with spool.taking() as taken:
        assert len(taken) == 1


def test_a_file_that_came_with_a_copy_is_not_counted_here(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    Spool(tmp_path / "one").note([event()])
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    with Spool(tmp_path / "other").taking() as taken:
        assert taken == []
    with Spool(tmp_path / "one").taking() as taken:
        assert len(taken) == 1


def test_lines_that_are_none_of_ours_are_passed_over(tmp_path: Path) -> None:
    Spool(tmp_path).note([event()])
    with (tmp_path / "asked.ndjson").open("ab") as file:
        file.write(b'\xff\xfe\n[1]\n{"id": 3}\n{"at": "yesterday"}\n{"pla')
    with Spool(tmp_path).taking() as taken:
        assert len(taken) == 1


def test_nothing_is_lost_while_many_write_and_take(tmp_path: Path) -> None:
    found: set[str] = set()
    is_over = threading.Event()

    def write(first: int) -> None:
        for number in range(first, first + 200):
            Spool(tmp_path).note([event(number)])

    def take() -> None:
        while not is_over.is_set():
            with Spool(tmp_path).taking() as taken:
                found.update(one.data["notes"][0] for one in taken)

    writers = [threading.Thread(target=write, args=(1000 * number,)) for number in range(4)]
    taker = threading.Thread(target=take)
    for thread in (*writers, taker):
        thread.start()
    for thread in writers:
        thread.join(timeout=60)
    is_over.set()
    taker.join(timeout=60)
    with Spool(tmp_path).taking() as taken:
        found.update(one.data["notes"][0] for one in taken)
    assert found == {str(1000 * client + number) for client in range(4) for number in range(200)}


def test_a_mark_that_was_set_again_stays(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.mark()
    with spool.looking():
        spool.mark()
    assert spool.is_due
    with pytest.raises(OSError, match="killed"), spool.looking():
        raise OSError("killed")
    assert spool.is_due
    with spool.looking():
        pass
    assert not spool.is_due


@pytest.mark.parametrize("kept", [0, 1, 20, 60])
def test_half_a_line_of_a_killed_writer_takes_nothing_of_the_next_one_away(tmp_path: Path, kept: int) -> None:
    Spool(tmp_path).note([event(0)])
    file = tmp_path / "asked.ndjson"
    file.write_bytes(file.read_bytes()[:kept])
    following = [event(1), event(2)]
    Spool(tmp_path).note(following)
    with Spool(tmp_path).taking() as taken:
        assert taken == following

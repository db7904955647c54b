"""What is embedded, when, and how often."""

from __future__ import annotations

import datetime
import itertools
import os
import sqlite3
from typing import Any

import pytest

from aries_kernel.errors import UserError
from ori_memory.index.index import open_index
from ori_memory.vectors.coverage import coverage
from ori_memory.vectors.filling import Limits, fill
from ori_memory.vectors.planning import Candidate, in_order
from ori_memory.vectors.tables import NoteStamp
from ori_memory.vectors.working import AlreadyWorking, stop_worker, worker, working

TITLED = "---\ntitle: Green tea\n---\n"
LONG = TITLED + "\n\n".join(f"## Part {part}\n\n" + f"Words of part {part}. " * 60 for part in "abcd")


def test_every_note_gets_the_vectors_of_its_passages(place: Any) -> None:
    place.write("notes/tea.md", "Brewed at 80 degrees.")
    place.write("notes/long.md", LONG)
    report = fill(place.vault, place.embedder)
    vectors = place.vectors()
    assert vectors["notes/tea.md"] == [place.embedder.embed_query("tea\nBrewed at 80 degrees.")]
    assert len(vectors["notes/long.md"]) > 4
    found = place.load()
    assert (report.left, report.stopped, found.stale) == (0, "", 0)
    assert report.notes == len(vectors) == found.covered


def test_a_second_time_nothing_is_asked(place: Any) -> None:
    place.write("notes/long.md", LONG)
    fill(place.vault, place.embedder)
    assert place.asked()
    assert fill(place.vault, place.embedder).notes == 0
    assert place.asked() == []


def test_a_note_that_moves_keeps_its_vectors(place: Any) -> None:
    file = place.write("notes/long.md", LONG)
    fill(place.vault, place.embedder)
    place.asked()
    before = place.vectors()["notes/long.md"]
    (place.vault.root / "notes/deep").mkdir()
    file.rename(place.vault.root / "notes/deep/other.md")
    fill(place.vault, place.embedder)
    assert place.asked() == [] and place.vectors()["notes/deep/other.md"] == before


def test_a_title_that_changes_with_the_file_is_in_the_new_vectors(place: Any) -> None:
    file = place.write("notes/tea.md", "Brewed at 80 degrees.")
    fill(place.vault, place.embedder)
    place.asked()
    file.rename(file.with_name("coffee.md"))
    with open_index(place.vault):
        pass
    assert (place.load().stale, coverage(place.vault).stale) == (1, 1)
    fill(place.vault, place.embedder)
    assert place.asked() == ["coffee\nBrewed at 80 degrees."] and place.load().stale == 0


def test_an_edit_of_one_section_embeds_that_section(place: Any) -> None:
    file = place.write("notes/long.md", LONG)
    fill(place.vault, place.embedder)
    place.asked()
    file.write_text(LONG.replace("Words of part c", "Verses of part c"), encoding="utf-8")
    fill(place.vault, place.embedder)
    asked = place.asked()
    assert asked and all("part c" in text for text in asked)
    assert len(place.vectors()["notes/long.md"]) == len(set(place.vectors()["notes/long.md"]))


def test_the_same_text_in_two_notes_is_embedded_once(place: Any) -> None:
    for name in ("one", "two"):
        place.write(f"notes/{name}.md", TITLED + "Brewed at 80 degrees.")
    fill(place.vault, place.embedder)
    assert place.asked().count("Green tea\nBrewed at 80 degrees.") == 1
    assert place.vectors()["notes/one.md"] == place.vectors()["notes/two.md"]


def test_vectors_outlive_the_index(place: Any) -> None:
    place.write("notes/long.md", LONG)
    place.write("notes/a.md", "First.")
    fill(place.vault, place.embedder)
    before = place.vectors()
    place.asked()
    for suffix in ("", "-wal", "-shm"):
        place.vault.index_path.with_name(f"index.db{suffix}").unlink(missing_ok=True)
    place.write("notes/0.md", "So that numbers change.")
    with open_index(place.vault):
        pass
    assert place.vectors() == before
    fill(place.vault, place.embedder)
    assert place.asked() == ["0\nSo that numbers change."]


def test_another_model_starts_anew_and_nothing_is_mixed(place: Any) -> None:
    place.write("notes/tea.md", "Brewed at 80 degrees.")
    fill(place.vault, place.embedder)
    count = len(place.asked())
    place.embedder.version = "2"
    assert place.load() == "the notes are embedded with another model"
    fill(place.vault, place.embedder, limits=Limits(passages=1))
    assert place.load("hashed-words:1") == "the notes are embedded with another model"
    fill(place.vault, place.embedder)
    assert len(place.asked()) == count and place.load().stale == 0


def test_force_embeds_everything_again(place: Any) -> None:
    place.write("notes/tea.md", "Brewed at 80 degrees.")
    fill(place.vault, place.embedder)
    count = len(place.asked())
    assert fill(place.vault, place.embedder, force=True).embedded == count == len(place.asked())


def test_what_is_gone_goes(place: Any) -> None:
    file = place.write("notes/tea.md", "Brewed at 80 degrees.")
    fill(place.vault, place.embedder)
    file.unlink()
    assert fill(place.vault, place.embedder).removed == 1
    assert "notes/tea.md" not in place.vectors() and not coverage(place.vault).missing


def test_what_looks_like_an_accident_takes_no_vectors(place: Any) -> None:
    files = [place.write(f"notes/{number}.md", f"Number {number}.") for number in range(60)]
    fill(place.vault, place.embedder)
    count = place.load().covered
    for file in files:
        file.unlink()
    assert fill(place.vault, place.embedder).removed == 0
    assert place.load().covered == count


def test_it_stops_after_any_step_and_goes_on_there(place: Any) -> None:
    for number in range(150):
        place.write(f"notes/{number}.md", f"Number {number}. " * (1 + 9 * number % 70))
    stopped = 0
    for _ in range(200):
        steps = itertools.count()
        report = fill(place.vault, place.embedder, limits=Limits(should_stop=lambda steps=steps: next(steps) > 1))
        if not report.stopped:
            break
        stopped += 1
        assert report.left and report.stopped == "it was asked to stop"
    asked = place.asked()
    assert stopped > 5 and len(asked) == len(set(asked)) and place.load().stale == 0
    assert place.load().covered == len(place.vectors())


def test_it_keeps_to_its_time_and_number(place: Any) -> None:
    for number in range(60):
        place.write(f"notes/{number}.md", f"Number {number}.")
    ticks = itertools.count(0, 10)
    report = fill(place.vault, place.embedder, limits=Limits(seconds=1, clock=lambda: next(ticks)))
    assert (report.embedded, report.stopped) == (0, "1 s are over")
    report = fill(place.vault, place.embedder, limits=Limits(passages=20))
    assert 20 <= report.embedded < 40 and report.left and report.stopped


def test_progress_ends_at_its_total(place: Any) -> None:
    for number in range(40):
        place.write(f"notes/{number}.md", f"Number {number}.")
    seen: list[Any] = []
    report = fill(place.vault, place.embedder, progress=seen.append)
    assert (seen[-1].done, seen[-1].total) == (report.embedded, report.embedded)
    assert [one.done for one in seen] == sorted(one.done for one in seen)


def test_recent_notes_come_first_then_linked_and_warm_ones_then_the_younger() -> None:
    now = datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC)

    def note(id: str, days: int, links: int = 0) -> Candidate:
        changed = (now - datetime.timedelta(days=days)).timestamp() * 1e9
        return Candidate(NoteStamp(id, 1, b"", ""), int(changed), 10, links)

    notes = [note("old", 400), note("linked", 500, 3), note("today", 0), note("yesterday", 1, 9), note("warm", 600)]
    notes.append(note("younger", 300))
    found = [one.stamp.id for one in in_order(notes, {"warm": 0.8}, now)]
    assert found == ["today", "yesterday", "warm", "linked", "younger", "old"]


def test_a_very_long_note_is_told(place: Any) -> None:
    place.write("notes/log.md", "Another line of it.\n" * 20_000)
    assert fill(place.vault, place.embedder).cut_short == ("log",)
    assert coverage(place.vault).cut_short == 1


def test_a_second_one_says_who_works(place: Any) -> None:
    with working(place.vault.state_folder):
        assert worker(place.vault.state_folder) == os.getpid()
        with pytest.raises(AlreadyWorking, match=f"Process {os.getpid()} is embedding"):
            fill(place.vault, place.embedder)
    assert worker(place.vault.state_folder) is None and stop_worker(place.vault.state_folder, 1) is None
    assert fill(place.vault, place.embedder).left == 0


def test_a_note_that_vanishes_meanwhile_does_not_come_back(place: Any) -> None:
    place.write("notes/tea.md", "Brewed at 80 degrees.")

    def vanish(texts: list[str]) -> None:
        if any("80 degrees" in text for text in texts):
            (place.vault.root / "notes/tea.md").unlink()
            with open_index(place.vault):
                pass

    class Slow(type(place.embedder)):  # type: ignore[misc]
        def embed_passages(self, texts: list[str]) -> bytes:
            vanish(texts)
            made: bytes = super().embed_passages(texts)
            return made

    fill(place.vault, Slow())
    with sqlite3.connect(place.vault.state_folder / "vectors.db") as connection:
        named = connection.execute("SELECT count(*) FROM passage").fetchone()[0]
    connection.close()
    assert named == place.load().covered == len(place.vectors())


def test_a_note_that_the_index_has_not_for_a_while_is_complete_in_the_end(place: Any) -> None:
    place.write("notes/long.md", "\n\n".join(f"Paragraph {number} of kettles. " * 60 for number in range(40)))
    with open_index(place.vault):
        pass
    titles = iter(["being built", "long"])

    class Meanwhile(type(place.embedder)):  # type: ignore[misc]
        def embed_passages(self, texts: list[str]) -> bytes:
            if any("kettles" in text for text in texts) and (title := next(titles, None)):
                with sqlite3.connect(place.vault.index_path) as index:
                    index.execute("UPDATE note SET title = ? WHERE path = 'notes/long.md'", (title,))
                index.close()
            made: bytes = super().embed_passages(texts)
            return made

    fill(place.vault, Meanwhile())
    assert next(titles, None) is None
    assert fill(place.vault, place.embedder).left == 0
    assert len(place.vectors()["notes/long.md"]) > 16


def test_a_vault_that_is_taken_away_is_left_so(place: Any, tmp_path: Any) -> None:
    class Thief(type(place.embedder)):  # type: ignore[misc]
        def embed_passages(self, texts: list[str]) -> bytes:
            if place.vault.root.exists():
                place.vault.root.rename(tmp_path / "elsewhere")
            made: bytes = super().embed_passages(texts)
            return made

    with pytest.raises(UserError, match="is gone"):
        fill(place.vault, Thief())
    assert not place.vault.root.exists()


def test_an_embedder_that_fails_or_gives_too_little_is_told(place: Any) -> None:
    class Failing(type(place.embedder)):  # type: ignore[misc]
        def embed_passages(self, texts: list[str]) -> bytes:
            if self.version == "1":
                raise RuntimeError("no memory")
            return b"short"

    with pytest.raises(UserError, match="embedder failed: RuntimeError: no memory"):
        fill(place.vault, Failing())
    with pytest.raises(UserError, match="gave 5 bytes"):
        fill(place.vault, Failing(version="2"))
    assert fill(place.vault, place.embedder).left == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_vault_that_cannot_be_written_is_told(place: Any) -> None:
    place.vault.state_folder.chmod(0o500)
    try:
        with pytest.raises(UserError, match="cannot be written"):
            fill(place.vault, place.embedder)
    finally:
        place.vault.state_folder.chmod(0o700)

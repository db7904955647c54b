"""Notes that stand in a talk: who is in it, in which order, seen with whom."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from ori_memory.index.index import open_index
from ori_memory.index.threads import speaker_of
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import adopt_vault


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    adopt_vault(folder)
    return folder


def write(root: Path, path: str, text: str, **properties: str) -> None:
    file = root / f"{path}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    head = "".join(f"{key}: {value}\n" for key, value in properties.items())
    file.write_text(f"---\n{head}---\n{text}\n" if head else f"{text}\n", encoding="utf-8")


def seats(root: Path) -> list[list[tuple[str, str]]]:
    """Of each thread the notes in their order, with their speakers."""
    with open_index(open_vault(root)):
        pass
    connection = sqlite3.connect(root / ".ori/index.db")
    rows = connection.execute(
        "SELECT s.thread, n.path, s.speaker FROM seat s JOIN note n ON n.num = s.note ORDER BY s.thread, s.position"
    ).fetchall()
    connection.close()
    threads: dict[int, list[tuple[str, str]]] = {}
    for thread, path, speaker in rows:
        threads.setdefault(thread, []).append((path.removesuffix(".md"), speaker))
    return sorted(threads.values())


def found(root: Path, word: str) -> list[str]:
    """Notes that are found by a word of theirs or of their neighbours."""
    with open_index(open_vault(root)):
        pass
    connection = sqlite3.connect(root / ".ori/index.db")
    rows = connection.execute(
        "SELECT n.path FROM windows w JOIN note n ON n.num = w.rowid WHERE windows MATCH ? ORDER BY n.path", (word,)
    ).fetchall()
    connection.close()
    return [path.removesuffix(".md") for (path,) in rows]


S1 = "{session: s-1}"


class TestMembers:
    def test_notes_of_one_session_are_a_thread_wherever_they_are(self, root: Path) -> None:
        for path in ("a/1", "b/2", "3"):
            write(root, path, "hi", source=S1)
        write(root, "other", "hi", source="{session: s-2}")
        assert seats(root) == [[("3", ""), ("a/1", ""), ("b/2", "")]]

    def test_the_same_session_of_two_clients_is_two(self, root: Path) -> None:
        for number in range(3):
            write(root, f"a{number}", "hi", source="{session: s-1, client: one}")
            write(root, f"b{number}", "hi", source="{session: s-1, client: two}")
        assert [[path for path, _ in thread] for thread in seats(root)] == [["a0", "a1", "a2"], ["b0", "b1", "b2"]]

    def test_equal_titles_make_no_thread(self, root: Path) -> None:
        for path in ("talk/1", "talk/2", "talk/3"):
            write(root, path, "hi", title="Talk")
        assert seats(root) == []

    def test_two_lines_are_a_talk_and_one_is_none(self, root: Path) -> None:
        write(root, "1", "hi", source=S1)
        assert seats(root) == []
        write(root, "2", "hi", source=S1)
        assert seats(root) == [[("1", ""), ("2", "")]]

    def test_nine_comes_before_ten(self, root: Path) -> None:
        for number in (10, 9, 100, 1):
            write(root, f"talk/turn {number}", "hi", source=S1)
        assert [path for path, _ in seats(root)[0]] == ["talk/turn 1", "talk/turn 9", "talk/turn 10", "talk/turn 100"]


class TestWindows:
    def test_a_line_is_found_by_two_lines_on_either_side_and_no_further(self, root: Path) -> None:
        for number in range(7):
            write(root, f"{number}", "zebra" if number == 3 else "other", source=S1)
        assert found(root, "zebra") == ["1", "2", "3", "4", "5"]

    def test_a_note_of_no_talk_has_no_window(self, root: Path) -> None:
        write(root, "a", "zebra")
        assert found(root, "zebra") == []


class TestChanges:
    @pytest.fixture
    def talk(self, root: Path) -> Path:
        for number in range(1, 6):
            write(root, f"{number}", f"Ann: word{number}", source=S1)
        seats(root)
        return root

    def test_an_edit_is_seen_through_its_neighbours(self, talk: Path) -> None:
        write(talk, "1", "Ben: zebra", source=S1)
        assert found(talk, "zebra") == ["1", "2", "3"] and found(talk, "word1") == []
        assert seats(talk)[0][0] == ("1", "ben")

    def test_a_line_that_is_removed_leaves_its_neighbours(self, talk: Path) -> None:
        (talk / "3.md").unlink()
        assert found(talk, "word3") == []
        assert found(talk, "word5") == ["2", "4", "5"]

    def test_a_line_that_comes_between_moves_the_others(self, talk: Path) -> None:
        write(talk, "2b", "Ann: between", source=S1)
        assert [path for path, _ in seats(talk)[0]] == ["1", "2", "2b", "3", "4", "5"]
        assert found(talk, "word1") == ["1", "2", "2b"]

    def test_a_line_that_gets_another_session_leaves(self, talk: Path) -> None:
        write(talk, "3", "Ann: word3", source="{session: s-2}")
        assert [path for path, _ in seats(talk)[0]] == ["1", "2", "4", "5"] and found(talk, "word3") == []

    def test_a_file_that_is_renamed_takes_its_new_place(self, talk: Path) -> None:
        (talk / "1.md").rename(talk / "9.md")
        assert [path for path, _ in seats(talk)[0]] == ["2", "3", "4", "5", "9"]
        assert found(talk, "word1") == ["4", "5", "9"]

    def test_a_talk_of_which_one_line_is_left_is_none_any_more(self, talk: Path) -> None:
        for number in (1, 2, 3, 4):
            (talk / f"{number}.md").unlink()
        assert (seats(talk), found(talk, "word5")) == ([], [])

    def test_one_that_comes_back_to_two_is_one_again(self, talk: Path) -> None:
        for number in (1, 2, 3, 4):
            (talk / f"{number}.md").unlink()
        seats(talk)
        write(talk, "1", "Ann: back", source=S1)
        assert [path for path, _ in seats(talk)[0]] == ["1", "5"]


@pytest.mark.parametrize(
    ("body", "speaker"),
    [
        ("Ann: hello", "ann"),
        ("**Ann**: hello", "ann"),
        ("**Ann:** hello", "ann"),
        ("- Ann Lee: hello", "ann lee"),
        ("\n\nÉmile: oui", "émile"),
        ("Анна: да", "анна"),
        ("Dr. O'Neill-Smith: yes", "dr. o'neill-smith"),
        ("hello", ""),
        ("at 10:30 we met", ""),
        ("http://x.org", ""),
        ("one two three four five: no", ""),
        ("", ""),
        (": no", ""),
    ],
)
def test_who_speaks_stands_before_a_colon(body: str, speaker: str) -> None:
    assert speaker_of(body) == speaker

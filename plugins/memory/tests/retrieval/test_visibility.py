"""What may not be seen, however it was found."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from aries_kernel.errors import UnknownName, UserError
from ori_memory.model import NoteRecord
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.visibility import hidden_because

DAY = datetime.date(2024, 6, 12)
BEFORE, AFTER = DAY - datetime.timedelta(1), DAY + datetime.timedelta(1)


def why(replaced: tuple[str, ...] = (), *, asked: Asked | None = None, **note: Any) -> str:
    record = NoteRecord(id="1", path="notes/a.md", title="a", **note)
    return hidden_because(record, asked or Asked("x"), DAY, replaced)


class TestRules:
    @pytest.mark.parametrize("status", ["archived", "superseded", "released"])
    def test_a_status_that_hides_is_the_reason(self, status: str) -> None:
        assert why(status=status) == status
        assert why(status=status, asked=Asked("x", include_archived=True)) == ""

    @pytest.mark.parametrize("status", ["", "active", "inbox", "draft"])
    def test_another_status_hides_nothing(self, status: str) -> None:
        assert why(status=status) == ""

    def test_a_note_that_another_supersedes_is_hidden(self) -> None:
        assert why(("notes/a.md",)) == "superseded"
        assert why(("notes/a.md",), asked=Asked("x", include_archived=True)) == ""

    @pytest.mark.parametrize(
        ("first", "last", "reason"),
        [
            (None, None, ""),
            (DAY, DAY, ""),
            (AFTER, None, "not valid yet"),
            (None, BEFORE, "no longer valid"),
            (BEFORE, AFTER, ""),
        ],
    )
    def test_a_note_holds_from_its_first_to_its_last_day(
        self, first: datetime.date | None, last: datetime.date | None, reason: str
    ) -> None:
        assert why(valid_from=first, valid_until=last) == reason

    def test_as_of_a_day_its_own_rules_hold(self) -> None:
        as_of = Asked("x", as_of=BEFORE)
        assert why(asked=as_of, valid_until=BEFORE) == ""
        assert why(asked=as_of, valid_from=DAY) == "not valid yet"
        assert why(asked=as_of, created=DAY) == "not there yet"
        assert why(asked=as_of, created=BEFORE) == why(asked=as_of, created=None) == ""

    def test_a_date_ahead_hides_nothing_today(self) -> None:
        assert why(created=AFTER) == ""

    def test_a_project_must_be_one_of_those_asked_for(self) -> None:
        asked = Asked("x", projects=("one", "two"))
        assert why(asked=asked, projects=("two", "three")) == ""
        assert why(asked=asked, projects=("three",)) == why(asked=asked) == "of another project"

    @pytest.mark.parametrize("folder", ["notes", "/notes/", "notes/", ""])
    def test_a_folder_holds_what_is_below_it(self, folder: str) -> None:
        assert why(asked=Asked("x", folder=folder)) == ""

    @pytest.mark.parametrize("folder", ["note", "notes/b", "other", "a.md"])
    def test_another_folder_hides(self, folder: str) -> None:
        assert why(asked=Asked("x", folder=folder)) == "of another folder"


class TestInAnswers:
    def test_an_archived_note_does_not_come_back_by_a_link(self, shelf: Any) -> None:
        shelf.fill(
            {
                "Film": "A film by [[Director]] and [[Writer]].",
                "Director": "---\nstatus: archived\n---\nShe made it.",
                "Writer": "She wrote it.",
            }
        )
        assert shelf.titles("film") == ["Film", "Writer"]
        assert set(shelf.titles("film", include_archived=True)) == {"Film", "Writer", "Director"}

    def test_an_archived_note_does_not_come_back_by_a_name_it_shares(self, shelf: Any) -> None:
        """G.5-65: what says the rest of a question is looked for among all notes, and shown from those alone."""
        river = {"River": "The Bubye is a river of Zimbabwe.", **{f"Other {place}": "Stones." for place in range(8)}}
        question = "tallest waterfall near the Bubye river"
        shelf.fill({**river, "Falls": "---\nstatus: archived\n---\nThe tallest waterfall of Zimbabwe."})
        assert shelf.titles(question) == ["River"]
        assert shelf.titles(question, include_archived=True) == ["River", "Falls"]

    def test_a_note_that_was_asked_for_by_its_name_stays_hidden(self, shelf: Any) -> None:
        shelf.fill({"Plan ABC-1": "---\nstatus: archived\n---\nABC-1", "Other": "about ABC-1 too"})
        assert shelf.titles("ABC-1") == ["Other"]

    def test_what_another_note_says_it_supersedes_is_hidden(self, shelf: Any) -> None:
        shelf.fill(
            {
                "Old price": "Rye costs one euro.",
                "New price": "---\nsupersedes: ['[[Old price]]']\n---\nRye costs two euros.",
            }
        )
        assert shelf.titles("rye costs") == ["New price"]
        assert set(shelf.titles("rye costs", include_archived=True)) == {"New price", "Old price"}

    def test_a_target_that_nobody_has_or_several_have_hides_nothing(self, shelf: Any) -> None:
        shelf.fill({"a/Price": "rye", "b/Price": "rye", "New": "---\nsupersedes: [Price, Nowhere, New]\n---\nrye"})
        assert len(shelf.titles("rye")) == 3

    def test_hidden_notes_take_no_places_of_others(self, shelf: Any) -> None:
        shelf.settings("retrieval:\n  candidates: 3\n")
        for number in range(10):
            shelf.write(f"Old {number}.md", "---\nstatus: archived\n---\nrye rye rye")
        shelf.write("New.md", "Much is said here, and at the end something of rye.")
        assert shelf.titles("rye") == ["New"]

    def test_a_hidden_note_does_not_send_one_that_is_like_it_to_the_end(self, shelf: Any) -> None:
        shelf.fill(
            {
                "Rye v1": "---\nstatus: superseded\n---\nThe dough of rye rests for a night, then it is baked hot.",
                "Rye v2": "The dough of rye rests for a night, then it is baked very hot.",
                "Oven": "The oven stands in the yard, it is hot, rye is seldom there.",
                "Wheat": "Wheat is nothing like rye, says everybody here in town and elsewhere.",
            }
        )
        assert shelf.titles("dough of rye rests night baked hot")[0] == "Rye v2"

    def test_an_archived_note_is_not_the_one_that_is_explored(self, shelf: Any) -> None:
        shelf.uses("keyword", stages="[exploration]", more="  options: {exploration: {share: 1}}\n")
        for number in range(10):
            shelf.write(f"Note {number}.md", "rye [[Hidden]]")
        shelf.write("Hidden.md", "---\nstatus: archived\n---\nnothing")
        answer = shelf.ask("rye")
        assert [hit.mark for hit in answer.hits] == [""] * 10


class TestFolders:
    """A folder that was mistyped is told; one that holds nothing is not."""

    @pytest.fixture
    def filled(self, shelf: Any) -> Any:
        shelf.fill({"projects/garden/Peas": "rye", "projects/Plan": "rye", "people/Clara": "rye"})
        return shelf

    @pytest.mark.parametrize(
        ("folder", "near"),
        [
            ("project", "projects"),
            ("Projects/Garden/", "projects/garden"),
            ("garden", "projects/garden"),
            ("projects/gardne", "projects/garden"),
            ("peple", "people"),
        ],
    )
    def test_the_nearest_are_named(self, filled: Any, folder: str, near: str) -> None:
        with pytest.raises(UnknownName) as told:
            filled.ask("rye", folder=folder)
        assert near in told.value.known and near in str(told.value)

    def test_one_that_is_like_none_is_told_too(self, filled: Any) -> None:
        with pytest.raises(UnknownName, match="There is no folder 'xyzzy'"):
            filled.ask("rye", folder="xyzzy")

    def test_an_empty_folder_and_one_without_an_answer_are_no_mistakes(self, filled: Any) -> None:
        (filled.root / "empty").mkdir()
        assert filled.titles("rye", folder="empty") == []
        assert filled.titles("zebra", folder="people") == []
        assert filled.titles("rye", folder="people") == ["Clara"]

    @pytest.mark.parametrize("folder", ["..", "/../..", "people/../../other"])
    def test_a_folder_outside_is_refused(self, filled: Any, folder: str) -> None:
        with pytest.raises(UserError):
            filled.ask("rye", folder=folder)

    def test_the_command_says_so_and_fails(self, filled: Any) -> None:
        from click.testing import CliRunner

        from ori_memory.app import main

        filled.memory().sync()
        done = CliRunner().invoke(main, ["--vault", str(filled.root), "query", "ranked", "rye", "--folder", "peple"])
        assert isinstance(done.exception, UnknownName) and "people" in str(done.exception)

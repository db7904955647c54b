"""Adding, promoting, moving, archiving, pruning and forgetting, on real files."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from aries_kernel.errors import UserError
from ori_memory.learned.store import LearnedStore
from ori_memory.memory import Memory
from ori_memory.operations.archiving import archive_notes, set_status
from ori_memory.operations.caring import health, mend
from ori_memory.operations.composing import NewNote
from ori_memory.operations.forgetting import forget, supersede
from ori_memory.operations.moving import move_note
from ori_memory.operations.promoting import Overrides, Refusal, promote_all, promote_note
from ori_memory.operations.pruning import prune
from ori_memory.vault.making import adopt_vault, init_vault

NOW = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(init_vault(tmp_path / "vault").vault, now=lambda: NOW) as opened:
        yield opened


def write(memory: Memory, path: str, text: str) -> Path:
    place = memory.vault.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())
    return place


def read(memory: Memory, path: str) -> str:
    return (memory.vault.root / path).read_bytes().decode()


class TestAdding:
    def test_a_note_with_content_is_typed_described_linked_and_promoted(self, memory: Memory) -> None:
        memory.add(NewNote("Kettles have thermometers", "They help."))
        added = memory.add(
            NewNote("Tea at 80 degrees", "We decided to go with 80. Kettles have thermometers for that.")
        )
        assert (added.path, added.is_new, added.is_promoted) == ("notes/Tea at 80 degrees.md", True, True)
        note = memory.index.note("Tea at 80 degrees")
        assert (note.id, note.type, note.status, note.description) == (
            added.id,
            "decision",
            "active",
            "We decided to go with 80",
        )
        assert "[[Kettles have thermometers]] for that" in read(memory, added.path)
        assert [link.source for link in memory.index.backlinks("notes/Kettles have thermometers.md")] == [added.path]
        assert memory.learned.accesses()[added.id].count == 1

    def test_what_the_index_would_leave_out_is_refused_before_it_is_written(self, memory: Memory) -> None:
        most = memory.vault.config.index.max_bytes
        with pytest.raises(UserError, match=f"index.max_bytes allows {most:,}"):
            memory.add(NewNote("A book in one note", "ü" * (most // 2 + 1)))
        assert list((memory.vault.root / "inbox").glob("*")) == []

    def test_a_description_taken_from_the_content_holds_no_links(self, memory: Memory) -> None:
        added = memory.add(NewNote("Where to look", "See [[index|the map]], [[Nowhere]] and [this](index.md) first."))
        assert memory.index.note(added.id).description == "See the map, Nowhere and this first"
        assert [link.link.target for link in memory.index.outgoing(added.path)] == [
            "index",
            "Nowhere",
            "index.md",
            "index",
        ]

    def test_a_note_that_was_given_no_description_has_one_and_is_found_by_it(self, memory: Memory) -> None:
        """G.5-82: an empty description left nothing to be found by meaning."""
        added = memory.add(NewNote("Kettle", "# Kettle\n\nSteam needs a vent. Otherwise the lid jumps.\n"))
        assert memory.index.note(added.id).description == "Steam needs a vent"
        assert "\ndescription: Steam needs a vent\n" in read(memory, added.path).replace('"', "")
        given = memory.add(NewNote("Pot", "Steam needs a vent.", description="Of iron"))
        assert memory.index.note(given.id).description == "Of iron"
        assert [hit.note.id for hit in memory.index.search_words("iron")] == [given.id]

    def test_a_note_without_content_stays_in_the_inbox(self, memory: Memory) -> None:
        added = memory.add(NewNote("Something to think about"))
        assert added.path == "inbox/Something to think about.md" and not added.is_promoted
        assert "{content}" not in read(memory, added.path)

    def test_the_same_note_is_kept_once(self, memory: Memory) -> None:
        memory.add(NewNote("Kettles have thermometers", "They help."))
        request = NewNote("Tea at 80", "Kettles have thermometers,\n\nand so on.")
        first, second = memory.add(request), memory.add(request)
        other = memory.add(NewNote("Kettles at 80", "Kettles have thermometers, and so on."))
        assert (second.is_new, second.id, second.path) == (False, first.id, first.path)
        assert (other.is_new, other.id) == (False, first.id)

    def test_a_title_that_says_more_is_another_note_whatever_its_content(self, memory: Memory) -> None:
        source = "From the talk of last week."
        first, second = (memory.add(NewNote(f"{name} was born in {name[0]}", source)) for name in ("Anna", "Bob"))
        assert first.is_new and second.is_new and first.path != second.path

    @pytest.mark.parametrize(
        "titles",
        [
            ("会议记录", "会议纪要"),
            ("a/b", "a:b", "a b"),
            ("???", "..."),
            ("Car", "car"),
            ("é", "e\u0301"),
            ("x" * 300, "x" * 301),
            ("CON",),
            ("😀",),
        ],
    )
    def test_every_title_reads_back_and_none_takes_the_file_of_another(
        self, memory: Memory, titles: tuple[str, ...]
    ) -> None:
        paths = [memory.add(NewNote(title, f"content {number}")).path for number, title in enumerate(titles)]
        assert len({path.casefold() for path in paths}) == len(titles)
        assert [memory.index.note(path).title for path in paths] == list(titles)

    @pytest.mark.parametrize(
        "title", ['Governance: Plan #1 "x"', "- dash", "[x]", "yes", "2026-01-01", "null", "@x", "  spaces  "]
    )
    def test_titles_that_mean_something_to_yaml_are_texts(self, memory: Memory, title: str) -> None:
        added = memory.add(NewNote(title, "some content"))
        assert memory.index.note(added.path).title == title.strip()
        assert read(memory, added.path).count("---\n") == 2

    @pytest.mark.parametrize(
        ("request_", "told"),
        [
            (NewNote(" "), "title is empty"),
            (NewNote("3f2504e0-4f89-11d3-9a0c-0305e82c3301"), "identifier"),
            (NewNote("two\nlines"), "one line"),
            (NewNote("ok", type="thought"), "type must be one of"),
            (NewNote("ok", confidence="sure"), "confidence must be one of"),
            (NewNote("ok", valid_from=datetime.date(2026, 2, 1), valid_until=datetime.date(2026, 1, 1)), "valid_until"),
        ],
    )
    def test_what_cannot_be_kept_is_told(self, memory: Memory, request_: NewNote, told: str) -> None:
        with pytest.raises(UserError, match=told):
            memory.add(request_)

    def test_source_and_validity_are_kept(self, memory: Memory) -> None:
        from ori_memory.model import Source

        source = Source("claude", "s-1", "a.py", "abc")
        day = datetime.date(2026, 1, 2)
        added = memory.add(NewNote("A fact", "It holds.", valid_from=day, source=source, is_pinned=True, tags=("x",)))
        note = memory.index.note(added.path)
        assert (note.source, note.valid_from, note.is_pinned, note.tags) == (source, day, True, ("x",))

    def test_a_note_whose_place_is_taken_is_marked(self, memory: Memory) -> None:
        old = memory.add(NewNote("The price is 5", "Since May."))
        added = memory.add(NewNote("The price is 6", "Since June.", supersedes=("The price is 5", "nothing")))
        note = memory.index.note(old.path)
        assert note.status == "superseded" and "[[The price is 6]]" in read(memory, old.path)
        assert any("'nothing'" in warning for warning in added.warnings)

    def test_an_adopted_vault_takes_notes_without_templates(self, tmp_path: Path) -> None:
        (tmp_path / "old.md").write_text("old", encoding="utf-8")
        with Memory.open(adopt_vault(tmp_path).vault, now=lambda: NOW) as memory:
            added = memory.add(NewNote("New", "content"))
            assert memory.index.note(added.path).title == "New"
        assert (tmp_path / "old.md").read_text(encoding="utf-8") == "old"


class TestPromoting:
    INBOX = "---\nstatus: inbox\n# mine\ncustom: [a, b]\ntype: idea\n---\n# Title\n\nWords.\n"

    def test_only_what_must_change_changes(self, memory: Memory) -> None:
        write(memory, "inbox/a.md", self.INBOX.replace("\n", "\r\n"))
        memory.refresh()
        done = promote_note(memory, "inbox/a.md")
        text = read(memory, done.path)
        assert done.path == "notes/a.md" and not (memory.vault.root / "inbox/a.md").exists()
        assert "# mine\r\ncustom: [a, b]\r\ntype: idea\r\n" in text and "status: active\r\n" in text
        assert text.replace("\r\n", "").count("\n") == 0

    def test_a_dry_run_changes_nothing(self, memory: Memory) -> None:
        place = write(memory, "inbox/a.md", self.INBOX)
        memory.refresh()
        assert promote_note(memory, "inbox/a.md", is_dry_run=True).path == "notes/a.md"
        assert place.read_text(encoding="utf-8") == self.INBOX

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("no frontmatter", "no frontmatter"),
            ("---\nstatus: active\n---\nx", "status 'active'"),
            ("---\nstatus: inbox\n---\n# T\n", "no content"),
            ("---\nstatus: inbox\n---\n# T\n\n{Content here}\n", "no content"),
            ("---\nstatus: [inbox\n---\nx", "cannot be read"),
        ],
    )
    def test_a_note_that_is_not_ready_is_refused_and_left_alone(self, memory: Memory, text: str, told: str) -> None:
        place = write(memory, "inbox/a.md", text)
        memory.refresh()
        with pytest.raises(Refusal, match=told):
            promote_note(memory, "inbox/a.md")
        assert place.read_text(encoding="utf-8") == text

    def test_a_name_that_is_taken_is_not_taken_over(self, memory: Memory) -> None:
        write(memory, "notes/a.md", "mine")
        write(memory, "inbox/a.md", self.INBOX)
        memory.refresh()
        done = promote_note(memory, "inbox/a.md")
        assert read(memory, "notes/a.md") == "mine" and done.path != "notes/a.md"

    def test_a_link_with_another_wording_is_escaped_in_a_table_and_nowhere_else(self, memory: Memory) -> None:
        memory.add(NewNote("Kettles have thermometers", "They help."))
        row, prose = "| kettles have thermometers | z |", "And kettles have thermometers."
        first = memory.add(NewNote("A table", f"Seen:\n\n| x | y |\n| - | - |\n{row}\n"))
        second = memory.add(NewNote("A sentence", prose))
        link = "[[Kettles have thermometers{}kettles have thermometers]]"
        assert f"| {link.format(chr(92) + '|')} | z |" in read(memory, first.path)
        assert f"And {link.format('|')}." in read(memory, second.path)
        sources = [one.source for one in memory.index.backlinks("notes/Kettles have thermometers.md")]
        assert sources == [second.path, first.path]

    def test_a_promotion_that_was_cut_after_the_move_can_be_finished(self, memory: Memory) -> None:
        write(memory, "notes/a.md", self.INBOX)
        memory.refresh()
        assert promote_note(memory, "notes/a.md").path == "notes/a.md"
        assert "status: active" in read(memory, "notes/a.md")

    def test_overrides_and_footers(self, memory: Memory) -> None:
        write(memory, "notes/rel.md", "related")
        write(memory, "inbox/a.md", self.INBOX + "\nRelevant Notes:\n- [[index]]\n")
        memory.refresh()
        promote_note(memory, "inbox/a.md", Overrides(type="decision", links=("rel", "index"), description="Short"))
        text = read(memory, "notes/a.md")
        assert "type: decision" in text and "description: Short" in text
        assert text.count("[[rel]]") == 1 and text.count("Relevant Notes:") == 1
        assert text.index("Relevant Notes:") < text.index("[[index]]") < text.index("[[rel]]")

    def test_all_of_the_inbox(self, memory: Memory) -> None:
        write(memory, "inbox/good.md", self.INBOX)
        write(memory, "inbox/bad.md", "no head")
        memory.refresh()
        promoted, skipped = promote_all(memory)
        assert [one.path for one in promoted] == ["notes/good.md"] and [path for path, _ in skipped] == ["inbox/bad.md"]


class TestMoving:
    def test_every_form_of_link_follows_and_code_stays(self, memory: Memory) -> None:
        write(memory, "notes/old.md", "# old\n\n## part\n\ntext ^block\n")
        source = (
            "[[old]] [[old#part]] [[old#^block]] [[old|alias]] ![[old]] [t](old.md) [t](<old.md>)\n\n"
            "| a |\n| --- |\n| [[old\\|cell]] |\n\n`[[old]]`\n\n```\n[[old]]\n```\n"
        )
        write(memory, "notes/links.md", source)
        memory.refresh()
        moved = move_note(memory, "old", "new name")
        assert moved.path == "notes/new name.md" and moved.rewritten == (("notes/links.md", 8),)
        expected = source.replace("`[[old]]`", "\0").replace("```\n[[old]]", "\1")
        expected = expected.replace("(old.md)", "(new%20name.md)").replace("<old.md>", "<new name.md>")
        expected = expected.replace("[[old", "[[new name").replace("\0", "`[[old]]`").replace("\1", "```\n[[old]]")
        assert read(memory, "notes/links.md") == expected
        assert {link.target for link in memory.index.outgoing("notes/links.md")} == {"notes/new name.md"}

    def test_the_id_stays(self, memory: Memory) -> None:
        write(memory, "notes/old.md", "no head")
        memory.refresh()
        before = memory.index.note("old").id
        move_note(memory, "old", "deep/er/new.md")
        assert memory.index.note("deep/er/new.md").id == before

    @pytest.mark.parametrize("new", ["Plan: what? <2>", "Governance? Plan #1", "Plain name", "会议"])
    def test_a_new_title_is_the_title_whatever_a_file_name_can_hold(self, memory: Memory, new: str) -> None:
        added = memory.add(NewNote("Governance: Plan 1", "text"))
        write(memory, "notes/links.md", "[[Governance: Plan 1]] [[Governance- Plan 1|x]]\n")
        moved = move_note(memory, added.id, new)
        note = memory.index.note(added.id)
        assert (note.path, note.title) == (moved.path, new)
        assert f"\n# {new}\n" in read(memory, moved.path) and "Governance: Plan 1" not in read(memory, moved.path)
        assert [one.target for one in memory.index.outgoing("notes/links.md")] == [moved.path, moved.path]

    def test_a_note_without_frontmatter_gets_a_title_only_where_its_file_cannot_say_it(self, memory: Memory) -> None:
        write(memory, "notes/plain.md", "text\n")
        assert read(memory, move_note(memory, "plain", "Other name").path) == "text\n"
        assert memory.index.note(move_note(memory, "Other name", "What now?").path).title == "What now?"

    def test_a_new_name_is_one_line(self, memory: Memory) -> None:
        with pytest.raises(UserError, match="one line"):
            move_note(memory, "index", "a\nb")

    @pytest.mark.parametrize("new", ["index", "../outside.md", "/etc/x.md", "", ".hidden/x.md"])
    def test_a_target_that_is_taken_or_outside_is_refused(self, memory: Memory, new: str) -> None:
        write(memory, "notes/old.md", "text")
        memory.refresh()
        with pytest.raises(UserError):
            move_note(memory, "old", new)
        assert read(memory, "notes/old.md") == "text"

    def test_a_move_that_was_cut_short_is_finished_by_the_next(self, memory: Memory) -> None:
        import json

        write(memory, "notes/old.md", "text")
        write(memory, "notes/links.md", "[[old]]")
        memory.refresh()
        names = [(note.path, note.title, note.aliases) for note in memory.index.notes()]
        journal = {"old": "notes/old.md", "new": "notes/new.md", "names": names}
        (memory.vault.state_folder / "moving.json").write_text(json.dumps(journal), encoding="utf-8")
        (memory.vault.root / "notes/old.md").rename(memory.vault.root / "notes/new.md")
        assert mend(memory)
        assert read(memory, "notes/links.md") == "[[new]]"
        assert not (memory.vault.state_folder / "moving.json").exists()


class TestArchivingAndPruning:
    def note(self, memory: Memory, name: str, **fields: object) -> None:
        head = "".join(
            f"{key}: {value}\n" for key, value in {"created": "2025-01-01", "status": "active", **fields}.items()
        )
        write(memory, f"notes/{name}.md", f"---\n{head}---\ntext of {name}\n")

    def test_old_notes_without_links_go_and_pinned_and_used_ones_stay(self, memory: Memory) -> None:
        for name, fields in (
            ("old", {}),
            ("pinned", {"pinned": "true"}),
            ("used", {}),
            ("fresh", {"created": "2026-02-20"}),
        ):
            self.note(memory, name, **fields)
        memory.refresh()
        LearnedStore(memory.vault.learned_path, clock=lambda: NOW).record_access([memory.index.note("used").id])
        report = archive_notes(memory, is_dry_run=True)
        assert [one.path for one in report.archived] == ["notes/old.md"]
        assert "days old and not used since this is a vault, 0 incoming links" in report.archived[0].reason
        archive_notes(memory)
        assert "status: archived" in read(memory, "notes/old.md") and "status: active" in read(memory, "notes/used.md")

    def test_pruning_proposes_and_only_acts_when_told(self, memory: Memory) -> None:
        self.note(memory, "lonely")
        self.note(memory, "pinned", pinned="true")
        memory.refresh()
        report = prune(memory)
        assert [one.path for one in report.candidates] == ["notes/lonely.md"] and not report.is_applied
        assert "status: active" in read(memory, "notes/lonely.md")
        assert prune(memory, apply=True).archived == ("notes/lonely.md",)
        assert "status: archived" in read(memory, "notes/lonely.md")

    def test_one_that_cannot_be_changed_does_not_keep_the_others(self, memory: Memory) -> None:
        for name in ("a", "b"):
            self.note(memory, name)
        memory.refresh()
        assert len(prune(memory).candidates) == 2
        write(memory, "notes/a.md", "---\ncreated: [\n---\n")
        report = prune(memory, apply=True)
        assert report.archived == ("notes/b.md",) and [path for path, _ in report.failed] == ["notes/a.md"]

    def test_an_articulation_point_is_no_candidate(self, memory: Memory) -> None:
        self.note(memory, "middle")
        write(memory, "notes/left.md", "[[middle]]")
        write(memory, "notes/middle.md", read(memory, "notes/middle.md") + "[[right]]")
        write(memory, "notes/right.md", "end")
        memory.refresh()
        assert "notes/middle.md" in prune(memory).articulation_points
        assert "notes/middle.md" not in [one.path for one in prune(memory).candidates]

    def test_a_status_is_changed_in_place(self, memory: Memory) -> None:
        place = write(memory, "notes/a.md", "---\n# why\nstatus: 'active' # now\nx: [1,  2]\n---\n\xe9\r\n")
        memory.refresh()
        before = place.read_bytes()
        set_status(memory, "notes/a.md", "archived")
        assert place.read_bytes() == before.replace(b"'active'", b"'archived'")


class TestForgetting:
    def test_it_is_a_preview_until_told_otherwise(self, memory: Memory) -> None:
        added = memory.add(NewNote("The code of the door", "It is 4711-0815."))
        report = forget(memory, "4711-0815")
        assert [match.path for match in report.matches] == [added.path] and not report.is_applied
        forget(memory, "4711-0815", apply=True)
        assert memory.index.note(added.path).status == "released"

    def test_a_purge_leaves_no_trace_and_says_who_still_mentions_it(self, memory: Memory) -> None:
        added = memory.add(NewNote("Zebra password", "It is xyzzy-unique-42."))
        write(memory, "notes/other.md", "see [[Zebra password]]")
        memory.refresh()
        report = forget(memory, added.path, "purge", apply=True)
        assert [one.path for one in report.mentions] == ["notes/other.md"] and report.traces == ()
        assert not (memory.vault.root / added.path).exists()
        memory.close()
        for file in memory.vault.root.rglob("*"):
            if file.is_file():
                assert b"xyzzy-unique-42" not in file.read_bytes(), file

    def test_too_many_matches_are_an_error_and_nothing_is_done(self, memory: Memory) -> None:
        for number in range(4):
            write(memory, f"notes/n{number}.md", "about submarines and their engines")
        memory.refresh()
        with pytest.raises(UserError, match="4 notes match, more than 3"):
            forget(memory, "submarines engines", "purge", apply=True, max_matches=3)
        assert len(list((memory.vault.root / "notes").glob("n*.md"))) == 4

    def test_a_new_note_takes_the_place_of_an_old_one(self, memory: Memory) -> None:
        old = memory.add(NewNote("The price is 5", "It was so in May."))
        new, replaced = supersede(memory, "The price is 5", NewNote("The price is 6", "Since June."))
        assert replaced == old.path
        assert memory.index.note(old.path).status == "superseded"
        assert memory.index.note(new).supersedes == ("[[The price is 5]]",)
        assert "It was so in May." in read(memory, old.path)


def test_health_names_what_needs_care(memory: Memory) -> None:
    write(memory, "notes/a.md", "[[nowhere]] [[twin]]")
    write(memory, "notes/x/twin.md", "1")
    write(memory, "notes/y/twin.md", "2")
    memory.refresh()
    found = health(memory)
    assert found.dangling == (("nowhere", ("notes/a.md",)),)
    assert [(source, target) for source, target, _ in found.ambiguous] == [("notes/a.md", "twin")]
    assert "notes/a.md" in found.orphans


def test_health_names_notes_with_odd_bytes(memory: Memory) -> None:
    (memory.vault.root / "notes/latin.md").write_bytes(b"caf\xe9\n")
    (memory.vault.root / "notes/zeros.md").write_bytes(b"a\0b\n")
    (memory.vault.root / "notes/plain.md").write_bytes("→ Ж\n".encode())
    assert health(memory).odd == (
        ("notes/latin.md", "line 1 is not UTF-8; read as Latin-1"),
        ("notes/zeros.md", "holds zero bytes; it may not be text"),
    )

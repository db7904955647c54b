"""The index through its public door."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from aries_kernel.errors import UnknownName
from ori_memory.index.index import Index, open_index
from ori_memory.index.lookup import AmbiguousNote
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import adopt_vault
from ori_memory.vault.vault import Vault


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    root = tmp_path / "vault"
    root.mkdir()
    return adopt_vault(root).vault


def put(vault: Vault, path: str, text: str | bytes) -> Path:
    file = vault.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return file


def found(index: Index, query: str) -> list[str]:
    return [hit.note.path for hit in index.search_words(query)]


HOSTILE = [
    "don't",
    "pre-edit",
    "GB/s",
    "C++",
    "ubuntu 20.04",
    "foo:bar",
    "AND",
    '"open',
    "*",
    "(",
    "",
    "NEAR(a b)",
    "a\0b",
    "\udcff",
    "title:x",
    "^x",
    "-x",
    "{a b}: c",
    "'; DROP TABLE note; --",
    "a" * 100_000,
    "x " * 5000,
    "_",
    "😀",
]


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_no_query_is_an_error(vault: Vault, query: str) -> None:
    put(vault, "a.md", "don't pre-edit at 5 GB/s in C++ on ubuntu 20.04, foo:bar AND open 😀")
    with open_index(vault) as index:
        assert set(found(index, query)) <= {"a.md"}


@pytest.mark.parametrize(
    "query",
    [
        "don't",
        "don’t",
        "pre-edit",
        "GB/s",
        "C++",
        "c++",
        "ubuntu 20.04",
        "foo:bar",
        '"open',
        "snake_case_name",
        "snake",
        "getUserName",
        "user",
        "itgc",
        "悬空",
        "部署",
        "部",
        "しりとり",
        "サーバ",
        "ｻｰﾊﾞ",
        "서버",
        "ภาษา",
        "सुरक्षा",
        "محمد",
        "cafe",
        "café",
        "CAFE\u0301",
        "serNam",
        "😀",
        "Straße",
    ],
)
def test_a_word_of_any_script_or_code_is_found(vault: Vault, query: str) -> None:
    text = (
        "don't pre-edit, 5 GB/s, C++ and ubuntu 20.04; foo:bar open snake_case_name getUserName "
        "重跑gen-itgc后50条 悬空引用 "
        "重新部署失败 今日は成語しりとりをした サーバー 서버를 เรียนภาษาไทย सुरक्षा مُحَمَّد Café 😀 Straße"
    )
    put(vault, "hit.md", text)
    put(vault, "other.md", "nothing of it, though C and 20 and 04 are here: s of gb, an edit before the pre")
    with open_index(vault) as index:
        assert found(index, query)[0] == "hit.md"


def test_c_plus_plus_is_not_c(vault: Vault) -> None:
    put(vault, "plus.md", "C++")
    put(vault, "plain.md", "C")
    with open_index(vault) as index:
        assert found(index, "C++") == ["plus.md"]


def test_english_words_are_found_by_their_stems_and_exact_ones_still(vault: Vault) -> None:
    put(vault, "a.md", "We deployed the caches; see deploymentPlan_v2 and HTTPServer2.")
    with open_index(vault) as index:
        for query in ("deploying", "cache", "deploymentPlan_v2", "mentPlan", "TTPServ", "http server2"):
            assert found(index, query) == ["a.md"], query


@pytest.mark.parametrize("query", ["ploym", "nothing serNam"])
def test_parts_of_plain_english_words_are_no_hits(vault: Vault, query: str) -> None:
    put(vault, "a.md", "a deployment of user-names, and getUserName")
    with open_index(vault) as index:
        assert found(index, query) == []


def test_pieces_of_other_scripts_are_found_within_their_words(vault: Vault) -> None:
    words = {
        "ru.md": "Развёртывание",
        "hi.md": "सुरक्षा",
        "ar.md": "والمُكتبات",
        "zh.md": "“重新部署失败”",
        "de.md": "Größenänderung",
    }
    for path, word in words.items():
        put(vault, path, f"one {word}, two\n")
    asked = {"ru.md": "вёрты", "hi.md": "रक्षा", "ar.md": "المكتب", "zh.md": "新部署", "de.md": "ößenänd"}
    with open_index(vault) as index:
        assert {path: found(index, query) for path, query in asked.items()} == {path: [path] for path in asked}


def test_a_title_weighs_more_than_a_body_and_all_words_more_than_some(vault: Vault) -> None:
    put(vault, "Release plan.md", "words")
    put(vault, "body.md", "the release of a plan, the plan of a release, release plan")
    put(vault, "half.md", "release release release")
    with open_index(vault) as index:
        assert found(index, "release plan") == ["Release plan.md", "body.md", "half.md"]


def test_words_of_a_file_name_find_a_note_with_another_title(vault: Vault) -> None:
    put(vault, "lang.rust.traits.md", "---\ntitle: Shared behaviour\n---\ntext")
    put(vault, "202103050830ab12cd34ef.md", "# Queues\n")
    with open_index(vault) as index:
        assert found(index, "rust traits") == found(index, "shared rust") == ["lang.rust.traits.md"]
        assert found(index, "queues") == ["202103050830ab12cd34ef.md"]
    (vault.root / "lang.rust.traits.md").rename(vault.root / "lang.zig.traits.md")
    with open_index(vault) as index:
        assert (found(index, "rust"), found(index, "zig traits")) == ([], ["lang.zig.traits.md"])


def test_text_at_character_200_000_is_found(vault: Vault) -> None:
    put(vault, "long.md", "filler " * 40_000 + "zebrafish " + "x" * 200)
    with open_index(vault) as index:
        assert found(index, "zebrafish") == ["long.md"]


def test_a_note_is_found_by_id_path_title_alias_and_name(vault: Vault) -> None:
    put(vault, "notes/one.md", "---\ntitle: The First\naliases: [Uno]\n---\n")
    with open_index(vault) as index:
        id = index.notes()[0].id
        names = [id, "notes/one.md", "one", "The First", "the first", "Uno", "[[Uno]]"]
        assert {index.note(name).path for name in names} == {"notes/one.md"}


def test_an_ambiguous_name_lists_the_candidates(vault: Vault) -> None:
    for folder in "ab":
        put(vault, f"{folder}/README.md", folder)
    with open_index(vault) as index, pytest.raises(AmbiguousNote) as caught:
        index.note("README")
    assert caught.value.candidates == ("a/README.md", "b/README.md")


def test_an_unknown_name_gives_the_nearest_titles(vault: Vault) -> None:
    put(vault, "Deployment.md", "")
    with open_index(vault) as index, pytest.raises(UnknownName, match="Deployment"):
        index.note("Deploymnt")


def test_links_dangling_orphans_and_suggestions(vault: Vault) -> None:
    put(vault, "Alpha Centauri.md", "[[Beta]] and ![[pic.png]] and [[Missing]]\n")
    put(vault, "Beta.md", "# x\n\nAbout alpha centauri.\n")
    with open_index(vault) as index:
        link = index.backlinks("Beta.md")[0]
        assert (link.source, link.link.line, link.context) == (
            "Alpha Centauri.md", 1, "[[Beta]] and ![[pic.png]] and [[Missing]]",
        )  # fmt: skip
        assert [(one.target, one.sources) for one in index.dangling()] == [("Missing", ("Alpha Centauri.md",))]
        assert [note.path for note in index.orphans()] == ["Alpha Centauri.md"]
        assert [(one.target, one.line) for one in index.suggested("Beta.md")] == [("Alpha Centauri.md", 3)]
        assert len(index.outgoing("Alpha Centauri.md")) == 3


def test_a_reference_to_a_block_leads_to_the_note_that_holds_it(vault: Vault) -> None:
    block = "6371a0ef-d363-4689-8755-ec3463edf9ea"
    put(vault, "pages/Reader.md", f"- see (({block}))\n")
    with open_index(vault) as index:
        assert [one.target for one in index.dangling()] == [f"(({block}))"]
    holder = put(vault, "pages/Book.md", f"- a thought\n  id:: {block.upper()}\n")
    with open_index(vault) as index:
        assert not index.dangling() and [one.source for one in index.backlinks("pages/Book.md")] == ["pages/Reader.md"]
    holder.rename(vault.root / "pages/Moved.md")
    put(vault, "pages/Other.md", "x")
    with open_index(vault) as index:
        assert [one.source for one in index.backlinks("pages/Moved.md")] == ["pages/Reader.md"]
    put(vault, "pages/Moved.md", "- a thought\n")
    with open_index(vault) as index:
        assert len(index.dangling()) == 1


def test_an_unchanged_vault_is_not_written_to(vault: Vault) -> None:
    os.utime(put(vault, "a.md", "[[b]]"), (1_700_000_000, 1_700_000_000))
    open_index(vault).close()

    def state() -> dict[str, tuple[int, int]]:
        files = [file for file in vault.root.rglob("*") if file.is_file() and not file.name.endswith("-shm")]
        return {str(file): (file.stat().st_mtime_ns, file.stat().st_size) for file in files}

    before = state()
    with open_index(vault) as index:
        assert not index.report.has_changes
    assert {name: one for name, one in state().items() if not name.endswith("-wal")} == before


def test_a_file_that_was_too_young_to_be_trusted_is_read_once_more_and_not_for_ever(vault: Vault) -> None:
    """As every note is that ori writes and looks at in the same moment."""
    file = put(vault, "a.md", "text")
    hour_ago = file.stat().st_mtime_ns - 3_600_000_000_000
    os.utime(file, ns=(hour_ago, hour_ago))
    open_index(vault).close()
    connection = sqlite3.connect(vault.index_path)
    connection.execute("UPDATE note SET checked_ns = mtime_ns")
    connection.commit()
    connection.close()
    read: list[int] = []
    with open_index(vault, sync=False) as index:
        for _ in range(3):
            index.sync(progress=lambda done, total: read.append(done))
    assert read == [1]


def test_a_rename_keeps_the_id_and_so_does_a_lost_index(vault: Vault) -> None:
    file = put(vault, "old.md", "content of its own")
    with open_index(vault) as index:
        id = index.notes()[0].id
    file.rename(vault.root / "new name.md")
    with open_index(vault) as index:
        assert index.report.renamed == (("old.md", "new name.md"),)
        assert index.note("new name").id == id
    put(vault, "old.md", "a newcomer at the old place")
    with open_index(vault) as index:
        newcomer = index.note("old").id
    vault.index_path.unlink()
    with open_index(vault) as index:
        assert (index.note("new name").id, index.note("old").id) == (id, newcomer)
        assert newcomer != id


def test_two_files_that_state_one_id_stay_two_notes(vault: Vault) -> None:
    os.utime(put(vault, "z.md", "---\nid: abc\n---\nolder"), (1_000_000, 1_000_000))
    put(vault, "a.md", "---\nid: abc\n---\nnewer")
    with open_index(vault) as index:
        assert index.note("z").id == "abc" != index.note("a").id
        assert any("abc" in problem for problem in index.report.problems)


def test_many_notes_gone_at_once_stay_until_it_is_said_to_be_meant(vault: Vault) -> None:
    for number in range(50):
        put(vault, f"notes/{number}.md", str(number))
    open_index(vault).close()
    for number in range(40):
        (vault.root / f"notes/{number}.md").unlink()
    with open_index(vault) as index:
        assert (index.counts().notes, len(index.report.withheld)) == (50, 40)
        assert len(index.sync(allow_mass_removal=True).removed) == 40
        assert index.counts().notes == 10


def test_a_held_write_lock_delays_no_reader(vault: Vault) -> None:
    put(vault, "a.md", "first")
    open_index(vault).close()
    other = sqlite3.connect(vault.index_path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        put(vault, "b.md", "second")
        with open_index(vault) as index:
            assert index.report.is_stale
            assert [note.path for note in index.notes()] == ["a.md"]
    finally:
        other.close()


def _overwrite_middle(index: Path) -> None:
    with index.open("r+b") as file:
        file.seek(index.stat().st_size // 2)
        file.write(os.urandom(4096))


DAMAGE = {
    "overwritten": _overwrite_middle,
    "empty": lambda index: index.write_bytes(b""),
    "text": lambda index: index.write_bytes(b"hello, I am no database at all\n" * 200),
    "cut": lambda index: index.write_bytes(index.read_bytes()[:20_000]),
    "header": lambda index: index.write_bytes(b"\0" * 100 + index.read_bytes()[100:]),
    "stranger": lambda index: (index.unlink(), sqlite3.connect(index).execute("CREATE TABLE x(y)").connection.close()),
    "version": lambda index: sqlite3.connect(index).execute("PRAGMA user_version = 99").connection.close(),
    "tables": lambda index: sqlite3.connect(index).execute("DROP TABLE link").connection.close(),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_broken_index_is_set_aside_and_built_anew(vault: Vault, damage: str) -> None:
    for number in range(60):
        put(vault, f"{number}.md", f"text {number} [[{number + 1}]] " + "word " * 300)
    open_index(vault).close()
    DAMAGE[damage](vault.index_path)
    with open_index(vault) as index:
        assert (index.counts().notes, index.counts().links) == (60, 60)
        assert index.report.notices
        assert found(index, "text 7")[0] == "7.md"
    assert damage == "empty" or list(vault.state_folder.glob("index.db.broken-*"))
    with open_index(vault) as index:
        assert not index.report.notices


def test_a_truncated_journal_loses_nothing_in_the_end(vault: Vault) -> None:
    put(vault, "a.md", "first")
    index = open_index(vault)
    put(vault, "b.md", "second")
    index.sync()
    copies = {name: (vault.state_folder / name).read_bytes() for name in ("index.db", "index.db-wal")}
    index.close()
    (vault.state_folder / "index.db").write_bytes(copies["index.db"])
    (vault.state_folder / "index.db-wal").write_bytes(copies["index.db-wal"][: len(copies["index.db-wal"]) // 2])
    with open_index(vault) as index:
        assert [note.path for note in index.notes()] == ["a.md", "b.md"]


def test_an_odd_file_is_named_and_the_rest_goes_on(vault: Vault) -> None:
    put(vault, "latin.md", "gr\u00fcn".encode("latin-1"))
    put(vault, "huge.md", b"x" * (vault.config.index.max_bytes + 1))
    put(vault, "fine.md", "fine")
    if os.name == "posix":
        Path(os.fsdecode(os.fsencode(vault.root) + b"/\xff.md")).write_text("x", encoding="utf-8")
    with open_index(vault) as index:
        assert [note.path for note in index.notes()] == ["fine.md", "latin.md"]
        assert "huge.md" in [file.path for file in index.report.quarantined]
        assert any("\\xff.md" in warning for warning in index.report.warnings) or os.name != "posix"
        assert [file.path for file in index.status().quarantine] == [file.path for file in index.report.quarantined]


def test_forgotten_text_is_in_no_file_of_the_index_after_purge(vault: Vault) -> None:
    file = put(vault, "secret.md", "xylophonesecret")
    put(vault, "kept.md", "kept")
    with open_index(vault) as index:
        file.unlink()
        index.sync()
        index.purge()
        assert found(index, "xylophonesecret") == []
    for path in vault.state_folder.glob("index*"):
        assert b"xylophone" not in path.read_bytes()


def test_status_tells_what_is_there(vault: Vault) -> None:
    put(vault, "a.md", "x")
    with open_index(vault, sync=False) as index:
        assert (index.status().exists, index.status().notes, index.status().last_sync) == (False, 0, None)
        index.sync()
        status = index.status()
        assert (status.notes, status.pending, status.quarantine) == (1, 0, ())
        assert status.size > 0 and status.last_sync is not None
    with open_index(open_vault(vault.root), sync=False) as index:
        assert index.status().exists


def test_a_word_that_most_notes_use_suggests_nothing(vault: Vault) -> None:
    put(vault, "Pull.md", "\n")
    put(vault, "Ivory Tower.md", "\n")
    for number in range(21):
        put(vault, f"note {number}.md", "A pull at the ivory tower.\n")
    with open_index(vault) as index:
        assert {one.target for one in index.suggested()} == {"Ivory Tower.md"}
        assert index.counts().suggested == 21
        (vault.root / "note 20.md").unlink()
        index.sync()
        assert {one.target for one in index.suggested()} == {"Ivory Tower.md", "Pull.md"}


def test_sqlite_finds_nothing_wrong_with_an_index(vault: Vault) -> None:
    for number in range(30):
        put(
            vault, f"note {number}.md", f"---\naliases: [n{number}]\ntags: [t]\n---\n# Head\n[[note {number + 1}]] ^b\n"
        )
    open_index(vault).close()
    connection = sqlite3.connect(vault.index_path)
    try:
        assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    finally:
        connection.close()

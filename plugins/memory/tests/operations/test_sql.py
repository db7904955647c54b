"""SQL over the vault: what each view says, what is refused, what is stopped, and that no file changes."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aries_kernel.errors import UserError
from ori_memory.index.index import open_index
from ori_memory.index.views import VIEWS
from ori_memory.learned.store import LearnedStore
from ori_memory.operations.sql import LONGEST_STATEMENT, SqlRefused, SqlStopped, describe_schema, run_sql
from ori_memory.vault.making import adopt_vault
from ori_memory.vault.vault import Vault

AT = datetime.datetime(2026, 3, 4, 5, 6, 7, tzinfo=datetime.UTC)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    folder = tmp_path_factory.mktemp("vault")
    for path, text in {
        "notes/a.md": "---\nid: n-a\ntype: decision\nproject: [p, q]\ntags: [x]\n---\n# A\n"
        "[[b|go]] [[gone]] ![[pic.png]]\n",
        "notes/b.md": "---\nid: n-b\naliases: [bee]\npinned: true\nsource: {client: c, session: s}\n---\n[[a]] [[b]]\n",
        "notes/c.md": "---\nid: n-c\n---\n[[bee]] and A is mentioned\n",
        "inbox/same.md": "---\nid: n-s1\n---\nx\n",
        "notes/same.md": "---\nid: n-s2\n---\n[[same]] and \U0001f600 é" + "é" * 5_000 + "\n",
    }.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    made = adopt_vault(folder).vault
    open_index(made).close()
    with LearnedStore(made.learned_path) as store:
        store.record_access(["n-a", "n-a", "n-gone"], AT)
        store.add_boosts({"n-b": 0.04}, "session", AT)
    return made


def rows(vault: Vault, statement: str) -> list[tuple[object, ...]]:
    return list(run_sql(vault, statement).rows)


class TestViews:
    def test_v_note_has_what_the_note_says(self, vault: Vault) -> None:
        assert rows(vault, "SELECT path, type, projects, tags, is_pinned FROM v_note WHERE id = 'n-a'") == [
            ("notes/a.md", "decision", '["p","q"]', '["x"]', 0)
        ]
        assert rows(
            vault, "SELECT aliases, is_pinned, source_client, source_session, space FROM v_note WHERE id = 'n-b'"
        ) == [('["bee"]', 1, "c", "s", "notes")]

    def test_modified_is_the_time_of_the_file_in_utc(self, vault: Vault) -> None:
        [[told]] = rows(vault, "SELECT modified FROM v_note WHERE id = 'n-a'")
        stamp = (vault.root / "notes/a.md").stat().st_mtime
        assert told == datetime.datetime.fromtimestamp(int(stamp), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def test_v_link_has_a_row_a_link_that_leads_somewhere(self, vault: Vault) -> None:
        assert rows(vault, "SELECT source, target, written, alias FROM v_link WHERE source <> target ORDER BY 1") == [
            ("notes/a.md", "notes/b.md", "b", "go"),
            ("notes/b.md", "notes/a.md", "a", None),
            ("notes/c.md", "notes/b.md", "bee", None),
        ]

    def test_v_dangling_has_no_pictures(self, vault: Vault) -> None:
        assert rows(vault, "SELECT source, written FROM v_dangling") == [("notes/a.md", "gone")]

    def test_v_orphan_counts_no_link_to_oneself(self, vault: Vault) -> None:
        assert rows(vault, "SELECT id FROM v_orphan ORDER BY id") == [("n-c",), ("n-s1",), ("n-s2",)]

    def test_v_access_counts_also_for_notes_that_are_gone(self, vault: Vault) -> None:
        assert rows(vault, "SELECT id, path, count, first FROM v_access ORDER BY id") == [
            ("n-a", "notes/a.md", 2, "2026-03-04T05:06:07.000000Z"),
            ("n-gone", None, 1, "2026-03-04T05:06:07.000000Z"),
        ]

    def test_v_boost_names_the_note(self, vault: Vault) -> None:
        assert rows(vault, "SELECT path, boost > 0, accesses FROM v_boost") == [("notes/b.md", 1, 1)]

    def test_rows_a_tag_project_and_heading(self, vault: Vault) -> None:
        assert rows(vault, "SELECT path, tag FROM v_tag") == [("notes/a.md", "x")]
        assert rows(vault, "SELECT project FROM v_project ORDER BY 1") == [("p",), ("q",)]
        assert rows(vault, "SELECT level, text FROM v_heading") == [(1, "A")]

    @pytest.mark.parametrize("view", sorted(VIEWS))
    def test_each_view_can_be_asked_with_and_without_a_learned_store(
        self, vault: Vault, view: str, tmp_path: Path
    ) -> None:
        columns = run_sql(vault, f"SELECT * FROM {view} LIMIT 1").columns
        empty = adopt_vault(tmp_path).vault
        open_index(empty).close()
        assert run_sql(empty, f"SELECT * FROM {view} LIMIT 1").columns == columns

    def test_the_schema_tells_them_first(self, vault: Vault) -> None:
        tables = describe_schema(vault)
        assert [one.name for one in tables[: len(VIEWS)]] == list(VIEWS)
        assert all(one.rows >= 0 for one in tables[: len(VIEWS)])
        assert all(one.about == "(undocumented)" for one in tables[len(VIEWS) :])


class TestValues:
    def test_cells_are_what_json_can_hold(self, vault: Vault) -> None:
        assert rows(vault, "SELECT x'00ff', 9007199254740993, -9007199254740991, 1e999, NULL, 0.5") == [
            ({"blob_bytes": 2}, "9007199254740993", -9007199254740991, "Infinity", None, 0.5)
        ]

    @pytest.mark.parametrize(("text", "kept"), [("replace(hex(zeroblob(3000)),'00','é')", "é" * 2_048)])
    def test_a_long_text_is_cut_at_a_whole_character(self, vault: Vault, text: str, kept: str) -> None:
        answer = run_sql(vault, f"SELECT 'a' || {text}")
        assert answer.rows == (("a" + kept[:-1],),) and answer.cells_cut == 1

    def test_a_text_that_is_no_utf_8_is_shown_with_replacements(self, vault: Vault) -> None:
        assert rows(vault, "SELECT CAST(x'61ff62' AS TEXT)") == [("a\ufffdb",)]

    def test_rows_end_at_the_limit_and_it_is_told(self, vault: Vault) -> None:
        answer = run_sql(
            vault, "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 50) SELECT * FROM t", limit=7
        )
        assert len(answer.rows) == 7 and answer.is_truncated
        assert not run_sql(vault, "SELECT 1 UNION SELECT 2", limit=2).is_truncated

    def test_a_huge_answer_ends_too(self, vault: Vault) -> None:
        wide = ", ".join(["hex(zeroblob(2000))"] * 100)
        many = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 900)"
        answer = run_sql(vault, f"{many} SELECT {wide} FROM t", seconds=20)
        assert answer.is_truncated and len(answer.rows) < 100


REFUSED = [
    "DELETE FROM note",
    "INSERT INTO note DEFAULT VALUES",
    "INSERT INTO note DEFAULT VALUES RETURNING *",
    "UPDATE note SET title = 'x'",
    "DROP TABLE note",
    "CREATE TABLE x(a)",
    "CREATE TEMP TABLE x(a)",
    "ALTER TABLE note ADD COLUMN x",
    "ATTACH 'evil.db' AS evil",
    "DETACH learned",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA user_version = 9",
    "PRAGMA query_only = OFF",
    "PRAGMA hard_heap_limit = 0",
    "SELECT * FROM pragma_user_version",
    "SELECT load_extension('evil')",
    "SELECT writefile('evil', 'x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT fts3_tokenizer('simple')",
    "VACUUM INTO 'evil.db'",
    "VACUUM",
    "REINDEX",
    "ANALYZE",
    "BEGIN",
    "COMMIT",
    "SAVEPOINT x",
    "SELECT 1; SELECT 2",
    "SELECT 1; DELETE FROM note",
    "INSERT INTO words(words) VALUES('rebuild')",
    "EXPLAIN DELETE FROM note",
    "WITH x AS (SELECT 1) DELETE FROM note",
    "SELECT",
    "no sql",
    "SELECT ?",
    "SELECT * FROM nothing",
    "",
    "  \n",
    "-- only a comment",
    "SELECT '\0'",
    "SELECT '\ud800'",
    "SELECT '" + "x" * LONGEST_STATEMENT + "'",
]


@pytest.mark.parametrize("statement", REFUSED)
def test_whatever_does_more_than_read_is_refused(vault: Vault, statement: str, tmp_path: Path) -> None:
    before = {file: file.read_bytes() for file in vault.state_folder.iterdir()}
    with pytest.raises(SqlRefused):
        run_sql(vault, statement)
    assert {file: file.read_bytes() for file in vault.state_folder.iterdir()} == before
    assert not Path("evil.db").exists()


@pytest.mark.parametrize(
    "statement",
    [
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 3000) SELECT count(*) FROM t a, t b, t c",
        "SELECT length(replace(hex(zeroblob(8000000)), '0', '01'))",
        "WITH RECURSIVE t(n) AS (SELECT hex(zeroblob(1000)) UNION ALL SELECT n || n FROM t) SELECT max(n) FROM t",
        "SELECT '" + "a" * 2_000 + "' LIKE '" + "%a" * 2_000 + "b'",
        "SELECT zeroblob(2000000000)",
    ],
)
def test_a_bomb_ends_at_a_limit_with_a_reason(vault: Vault, statement: str) -> None:
    try:
        run_sql(vault, statement, seconds=0.4)
    except (SqlStopped, SqlRefused) as error:
        assert str(error).strip()


def test_harmless_statements_that_look_dangerous_are_answered(vault: Vault) -> None:
    assert rows(vault, "SELECT 'DROP TABLE note; --' AS \"delete\" -- x") == [("DROP TABLE note; --",)]
    assert rows(vault, "/* DELETE */ -- y\nSELECT count(*) FROM words WHERE words MATCH 'mentioned';") == [(1,)]
    assert rows(vault, "SELECT value FROM json_each('[1,2]')") == [(1,), (2,)]
    assert rows(vault, "VALUES (1)") == [(1,)]
    assert rows(vault, "SELECT name FROM pragma_table_info('note') LIMIT 1") == [("num",)]
    assert run_sql(vault, "EXPLAIN QUERY PLAN SELECT 1").rows


def test_no_file_is_made_also_while_somebody_has_the_index_open(vault: Vault) -> None:
    run_sql(vault, "SELECT * FROM v_note")
    index = open_index(vault)
    try:
        before = {file.name for file in vault.state_folder.iterdir()}
        assert rows(vault, "SELECT count(*) FROM v_note") == [(5,)]
        assert {file.name for file in vault.state_folder.iterdir()} == before
    finally:
        index.close()


def test_without_an_index_and_with_a_broken_one_it_says_so(tmp_path: Path) -> None:
    empty = adopt_vault(tmp_path).vault
    with pytest.raises(UserError, match="ori index build"):
        run_sql(empty, "SELECT 1")
    empty.index_path.write_bytes(b"no database at all" * 1_000)
    with pytest.raises(SqlStopped, match="database"):
        run_sql(empty, "SELECT * FROM v_note")


@given(st.text(alphabet="SELECTselect FROMfrom*(),;'\"-/x1%\n", max_size=60))
@settings(max_examples=25, deadline=None)
def test_no_text_makes_it_fail_otherwise(vault: Vault, statement: str) -> None:
    try:
        run_sql(vault, statement)
    except (SqlRefused, SqlStopped) as error:
        assert str(error).strip()


class TestCommand:
    def run(self, vault: Vault, *arguments: str, given: str = "") -> tuple[int, dict[str, object]]:
        command = [sys.executable, "-m", "ori_memory", "--vault", str(vault.root), "sql", "--json", *arguments]
        done = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", timeout=60)
        return done.returncode, json.loads(done.stdout)

    def test_options_may_follow_the_statement_and_comments_may_begin_it(self, vault: Vault) -> None:
        for arguments in (["select 7 as n -- x", "--limit", "5"], ["--limit", "5", "-- x\nselect 7 as n"]):
            code, answer = self.run(vault, *arguments)
            assert code == 0 and answer["data"] == {
                "columns": ["n"],
                "rows": [[7]],
                "is_truncated": False,
                "cells_cut": 0,
            }

    def test_the_statement_may_come_from_standard_input(self, vault: Vault) -> None:
        assert self.run(vault, "--stdin", given="select 1 -- é")[0] == 0
        assert self.run(vault, "-", given="select 1")[0] == 0

    def test_exit_codes_tell_a_wrong_statement_from_one_that_was_stopped(self, vault: Vault) -> None:
        bomb = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t"
        assert self.run(vault, "drop table note")[0] == 2
        assert self.run(vault, "--nonsense")[0] == 2
        assert self.run(vault)[0] == 2
        assert self.run(vault, bomb, "--timeout", "0.2")[0] == 1

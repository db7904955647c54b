"""The learned store on a PostgreSQL server that several agents share."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.errors import UserError
from ori_memory.learned.crediting import Credit
from ori_memory.learned.store import LearnedStore
from ori_memory.memory import Memory
from ori_memory.operations.composing import NewNote
from ori_memory.operations.purging import purge_notes
from ori_memory.operations.waking import wake
from ori_memory.retrieval.answer import Asked
from ori_memory.vault.finding import find_vault
from ori_memory.vault.making import init_vault, make_vault

AGENT = """
import pathlib, sys
from ori_memory.learned.crediting import Credit
from ori_memory.learned.crediting import Credit
from ori_memory.learned.store import LearnedStore
with LearnedStore(pathlib.Path("nowhere/learned.db"), url=sys.argv[1], space=sys.argv[2]) as store:
    for number in range(20):
        store.record_access(["shared", sys.argv[3]])
        store.record_credits([Credit("shared", ("tea",), 0.5, "citation"), Credit(sys.argv[3], (), 1.0, "edit")])
        store.record_arm("graph", {"b": [1.0, 2.0]})
        store.add_boosts({"shared": 0.01}, f"{sys.argv[3]}-{number}")
"""


def start(url: str, name: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", AGENT, url, "agents", name]
    return subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8")


def test_eight_agents_at_once_lose_nothing(cluster: Any, tmp_path: Path) -> None:
    running = [start(cluster.url, f"agent{number}") for number in range(8)]
    for process in running:
        _, error = process.communicate(timeout=300)
        assert (process.returncode, error) == (0, "")
    with LearnedStore(tmp_path / "learned.db", url=cluster.url, space="agents") as store:
        assert store.accesses()["shared"].count == 160
        credit = {one.note_id: one for one in store.credits()}
        assert (credit["shared"].uses, credit["shared"].reward) == (160, 80.0)
        assert store.credits_of("shared")[0].sources == {"citation": 160}
        assert {one.uses for note, one in credit.items() if note != "shared"} == {20}
        assert store.arms()["graph"] == (160, {"b": (160.0, 320.0)}, store.arms()["graph"].updated)
        status = store.status()
        assert (status.exists, status.soundness, status.rows["credit"]) == (True, "ok", 9)
    assert list(tmp_path.iterdir()) == []


def test_vaults_at_one_server_do_not_see_each_other(cluster: Any, tmp_path: Path) -> None:
    with LearnedStore(tmp_path / "a.db", url=cluster.url, space="One vault") as one:
        one.record_access(["a"])
    with LearnedStore(tmp_path / "a.db", url=cluster.url, space="another; DROP TABLE access") as other:
        assert other.accesses() == {}
        other.record_access(["b"])
    with LearnedStore(tmp_path / "a.db", url=cluster.url, space="One vault") as one:
        assert list(one.accesses()) == ["a"]


def test_what_a_file_learned_moves_to_a_server_and_back(cluster: Any, tmp_path: Path) -> None:
    with (
        LearnedStore(tmp_path / "file.db") as file,
        LearnedStore(tmp_path / "x.db", url=cluster.url, space="moves") as server,
        LearnedStore(tmp_path / "back.db") as back,
    ):
        file.record_access(["a", "\u00fc\u2028", "a"])
        file.add_boosts({"a": 0.04}, "s")
        file.record_pairs([("a", "b")])
        server.import_(file.export())
        server.import_(file.export())
        assert server.export() == file.export()
        server.record_access(["a"])
        back.import_(server.export())
        assert back.accesses()["a"].count == 3


def test_a_reset_at_a_server_is_taken_back(cluster: Any, tmp_path: Path) -> None:
    with LearnedStore(tmp_path / "learned.db", url=cluster.url, space="reset") as store:
        store.record_access(["a"])
        store.reset()
        store.record_access(["a"])
        assert store.accesses()["a"].count == 1
        store.undo_reset()
        assert store.accesses()["a"].count == 2


AWAY = "postgresql+psycopg://me:secret@127.0.0.1:1/nothing"


def test_a_server_that_is_away_takes_no_answer_away_and_nothing_is_lost(cluster: Any, tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault")
    (vault.root / "notes" / "Tea is hot and green.md").write_text("Green tea.\n", encoding="utf-8")
    with Memory.open(vault, environ={"ORI_LEARNED_URL": AWAY}, session="s") as memory:
        answer = memory.ask(Asked("green tea", is_fast=True))
        assert answer.hits[0].title == "Tea is hot and green"
        memory.said("[[Tea is hot and green]] is what I know.")
        memory.teaching.finish()
        told = " ".join(memory.warnings)
        assert "is away" in told or "cannot be written" in told
        assert "secret" not in told
    assert not vault.learned_path.exists()
    with Memory.open(vault, environ={"ORI_LEARNED_URL": cluster.url}, session="t") as memory:
        memory.teaching.learn()
        assert memory.warnings == ()
        assert [one.reward for one in memory.learned.credits()] == [1.0]
        assert {one.times for one in memory.learned.shown().values()} == {1}


def test_a_server_that_is_away_is_told_by_every_way_of_asking(tmp_path: Path) -> None:
    with LearnedStore(tmp_path / "learned.db", url=AWAY, space="v") as store:
        assert (store.credits(), store.accesses(), store.orphans([])) == ((), {}, ())
        assert len(store.warnings) == 1
        with pytest.raises(UserError, match="cannot be written"):
            store.record_access(["a"])
        assert store.status().soundness.startswith("away: ")
        assert "secret" not in " ".join(store.warnings)


def test_a_server_that_is_away_is_not_exported_as_if_nothing_had_been_learned(tmp_path: Path) -> None:
    with LearnedStore(tmp_path / "learned.db", url=AWAY, space="v") as store:
        for ask in (store.export, store.require, store.reset):
            with pytest.raises(UserError, match=r"is away .*Try again"):
                ask()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_of_another_encoding_is_refused_and_the_question_answered(
    cluster: Any, tmp_path: Path, encoding: str
) -> None:
    import sqlalchemy as sa

    engine = sa.create_engine(cluster.url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        name = f"kept_as_{encoding.lower()}"
        connection.execute(sa.text(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0"))
    engine.dispose()
    vault = make_vault(tmp_path / "vault")
    (vault.root / "notes" / "Čaj 茶.md").write_text("Zelený čaj 茶.\n", encoding="utf-8")
    url = cluster.url.replace("/postgres?", f"/{name}?")
    with Memory.open(vault, environ={"ORI_LEARNED_URL": url}, session="s") as memory:
        assert memory.ask(Asked("čaj 茶", is_fast=True)).hits[0].title == "Čaj 茶"
        memory.said("[[Čaj 茶]] says so.")
        memory.teaching.finish()
        assert encoding in (told := " ".join(memory.warnings)) and "createdb" in told
    with Memory.open(vault, environ={"ORI_LEARNED_URL": cluster.url}) as memory:
        memory.teaching.learn()
        assert [one.words for one in memory.learned.credits()] == [("čaj", "茶")]


def test_a_server_that_restarts_while_eight_agents_write_loses_nothing_that_was_acknowledged(
    cluster: Any, tmp_path: Path
) -> None:
    script = """
import pathlib, sys
from aries_kernel.errors import UserError
from ori_memory.learned.store import LearnedStore
done = 0
while done < 15:
    with LearnedStore(pathlib.Path("nowhere/learned.db"), url=sys.argv[1], space="restarts") as store:
        try:
            store.record_access(["shared"])
            done += 1
        except UserError as error:
            assert "cannot be written" in str(error), error
    print("tried", flush=True)
print(done)
"""
    command = [sys.executable, "-c", script, cluster.url]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") for _ in range(8)
    ]
    assert running[0].stdout is not None and running[0].stdout.readline() == "tried\n"
    cluster.stop()
    cluster.start()
    ended = [process.communicate(timeout=300) for process in running]
    assert [(process.returncode, error) for process, (_, error) in zip(running, ended, strict=True)] == [(0, "")] * 8
    with LearnedStore(tmp_path / "learned.db", url=cluster.url, space="restarts") as store:
        # A write whose answer was lost with the server may have been made.
        assert 8 * 15 <= store.accesses()["shared"].count <= 8 * 16


def test_what_the_driver_says_of_a_lost_connection_is_not_written_between_answers(cluster: Any, tmp_path: Path) -> None:
    script = """
import logging, pathlib, sys
from ori_memory.learned.store import LearnedStore
with LearnedStore(pathlib.Path("learned.db"), url=sys.argv[1], space="hushed") as store:
    store.record_access(["a"])
    logging.getLogger("psycopg").warning("error ignored terminating: the connection is lost")
    print(store.accesses()["a"].count)
"""
    command = [sys.executable, "-c", script, cluster.url]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=tmp_path, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


SESSIONS = """
import os, pathlib, sys
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked
from ori_memory.vault.finding import open_vault
vault, name = open_vault(pathlib.Path(sys.argv[1])), sys.argv[2]
for number in range(6):
    with Memory.open(vault, session=f"{name}-{number}") as memory:
        answer = memory.ask(Asked(f"green tea {name}x{number}", is_fast=True))
        assert answer.hits[0].title == "Tea is hot and green", answer
        memory.said(f"Session {number} of {name}: [[Tea is hot and green]].")
    print(number, flush=True)
"""


def test_sessions_of_eight_agents_count_once_though_the_server_restarts_meanwhile(cluster: Any, tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault")
    (vault.root / "notes" / "Tea is hot and green.md").write_text("Green tea.\n", encoding="utf-8")
    env = {**os.environ, "ORI_LEARNED_URL": cluster.url, "ORI_NO_BACKGROUND": "1"}
    command = [sys.executable, "-c", SESSIONS, str(vault.root)]
    running = [
        subprocess.Popen(
            [*command, f"agent{number}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=env
        )
        for number in range(8)
    ]
    assert running[0].stdout is not None and running[0].stdout.readline() == "0\n"
    cluster.stop()
    cluster.start()
    ended = [process.communicate(timeout=300) for process in running]
    assert [(process.returncode, error) for process, (_, error) in zip(running, ended, strict=True)] == [(0, "")] * 8
    with Memory.open(vault, environ={"ORI_LEARNED_URL": cluster.url}) as memory:
        memory.teaching.learn()
        assert memory.warnings == ()
        credits = memory.learned.credits_of(memory.index.note("Tea is hot and green").id)
    found = {one.words[-1]: one.sources["citation"] for one in credits}
    assert found == {f"agent{agent}x{number}": 1 for agent in range(8) for number in range(6)}


def test_while_the_server_is_away_notes_are_kept_promoted_and_purged_and_what_is_missing_is_told(
    tmp_path: Path,
) -> None:
    vault = init_vault(tmp_path / "vault").vault
    with Memory.open(vault, environ={"ORI_LEARNED_URL": AWAY}) as memory:
        added = memory.add(NewNote("How we boil", "We decided on kettles, all of us."))
        assert added.is_promoted and (vault.root / added.path).is_file()
        assert any("not counted as a use" in warning for warning in memory.warnings)
        purged = purge_notes(memory, [added.path])
        assert not (vault.root / added.path).exists() and f"file {added.path}" in purged.removed
        assert [what for what, _ in purged.failed] == [f"learned values of {added.id}"]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "no address"),
        ("sqlite:///x.db", "PostgreSQL"),
        ("postgresql+nosuchdriver://me@localhost/x", r"ori-memory\[postgresql\]"),
    ],
)
def test_a_wrong_address_is_told_with_what_to_write(tmp_path: Path, url: str, said: str) -> None:
    with LearnedStore(tmp_path / "learned.db", url=url, space="v") as store, pytest.raises(UserError, match=said):
        store.record_access(["a"])


def test_a_server_with_a_store_of_a_newer_version_is_left_alone(cluster: Any, tmp_path: Path) -> None:
    import sqlalchemy as sa

    with LearnedStore(tmp_path / "learned.db", url=cluster.url, space="newer") as store:
        store.record_access(["a"])
    engine = sa.create_engine(cluster.url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE ori_newer.alembic_version SET version_num = '9'"))
    engine.dispose()
    with LearnedStore(tmp_path / "learned.db", url=cluster.url, space="newer") as store:
        for ask in (store.accesses, lambda: store.record_access(["a"])):
            with pytest.raises(UserError, match="newer ori"):
                ask()


def test_a_server_of_an_earlier_revision_is_brought_up_to_date(cluster: Any, tmp_path: Path) -> None:
    import sqlalchemy as sa

    from ori_memory.learned.tables import EXPORTED

    with LearnedStore(tmp_path / "learned.db", url=cluster.url, space="older") as store:
        store.record_access(["a"])
    later = ["credit", "credited", "evidence", "note_reset", "pair", "reset", "shown", "stage_arm"]
    later += ["session", "session_event", "asked_word", "given"]
    engine = sa.create_engine(cluster.url)
    with engine.begin() as connection:
        for table in later:
            connection.execute(sa.text(f"DROP TABLE ori_older.{table}"))
        connection.execute(sa.text("UPDATE ori_older.alembic_version SET version_num = '1'"))
    engine.dispose()
    with LearnedStore(tmp_path / "learned.db", url=cluster.url, space="older") as store:
        assert store.accesses()["a"].count == 1
        store.record_shown({"a": 1})
        assert store.status().rows.keys() == {table.name for table in EXPORTED}


@pytest.mark.parametrize("url", ["nonsense", "nonsense://x", "mysql://me@127.0.0.1/b"])
def test_an_address_that_is_none_is_told_with_both_places_it_may_come_from(tmp_path: Path, url: str) -> None:
    with (
        LearnedStore(tmp_path / "learned.db", url=url, space="v") as store,
        pytest.raises(UserError, match=r"learning\.url \(or ORI_LEARNED_URL"),
    ):
        store.credits()


class TestMachinesThatShareAServer:
    """Each has the vault and an index of its own."""

    def machine(self, cluster: Any, folder: Path) -> Memory:
        return Memory.open(find_vault(None, {}, folder, folder).vault, environ={"ORI_LEARNED_URL": cluster.url})

    @pytest.fixture
    def folders(self, tmp_path: Path) -> tuple[Path, Path]:
        one, other = tmp_path / "one", tmp_path / "other"
        vault = init_vault(one).vault
        write(one, "How we boil", "Green tea wants eighty degrees.")
        shutil.copytree(vault.root, other)
        return one, other

    def test_a_note_that_one_renamed_and_edited_keeps_what_it_earned_on_the_other(
        self, cluster: Any, folders: tuple[Path, Path]
    ) -> None:
        one, other = folders
        with self.machine(cluster, one) as memory, self.machine(cluster, other) as there:
            id = memory.index.note("How we boil").id
            assert there.index.note("How we boil").id == id
            memory.learned.record_credits([Credit(id, ("tea", "degrees"), 1.0, "citation")])
        (one / "notes" / "How we boil.md").rename(one / "notes" / "How tea is made.md")
        with self.machine(cluster, one) as memory:
            assert memory.index.note("How tea is made").id == id
        # It comes to the other one with another text, so nothing there tells that it is the same note.
        (other / "notes" / "How we boil.md").unlink()
        write(other, "How tea is made", "Pots, leaves, patience.")
        with self.machine(cluster, other) as memory:
            assert memory.index.note("How tea is made").id == id
            assert [found.path for found in memory.ask(Asked("tea leaves", is_fast=True)).hits] == [
                "notes/How tea is made.md"
            ]
            assert memory.learned.credits_of(id)[0].uses == 1
        for file in (*(other / ".ori").glob("index.db*"), *(other / ".ori").glob("learned.*")):
            file.unlink()
        with self.machine(cluster, other) as memory:
            assert memory.index.note("How tea is made").id == id

    def test_a_new_note_at_the_old_place_is_another_note_everywhere(
        self, cluster: Any, folders: tuple[Path, Path]
    ) -> None:
        one, other = folders
        with self.machine(cluster, one) as memory:
            first = memory.index.note("How we boil").id
        for name in ("How tea is made", "How we boil", "Where it is kept"):
            (one / "notes" / "How we boil.md").rename(one / "notes" / f"{name}.md")
            with self.machine(cluster, one) as memory:
                assert memory.index.note(name).id == first
            (one / "notes" / f"{name}.md").rename(one / "notes" / "How we boil.md")
        (one / "notes" / "How we boil.md").rename(one / "notes" / "How tea is made.md")
        write(one, "How we boil", "Coffee now.")
        with self.machine(cluster, one) as memory:
            ids = {name: memory.index.note(name).id for name in ("How we boil", "How tea is made")}
        assert ids["How tea is made"] == first != ids["How we boil"]
        shutil.rmtree(other)
        shutil.copytree(one, other, ignore=shutil.ignore_patterns("*.db*"))
        with self.machine(cluster, other) as memory:
            assert {name: memory.index.note(name).id for name in ids} == ids

    def test_a_note_that_takes_the_place_of_others_shares_what_they_earned(
        self, cluster: Any, folders: tuple[Path, Path]
    ) -> None:
        one, other = folders
        with self.machine(cluster, one) as memory:
            old = memory.index.note("How we boil").id
            memory.learned.record_credits([Credit(old, ("tea",), 1.0, "citation")])
            for name in ("Green", "Black"):
                write(one, name, "A part of it.")
                memory.refresh()
                memory.teaching.inherited(old, memory.index.note(name).id)
                memory.teaching.inherited(old, memory.index.note(name).id)
            parts = [memory.index.note(name).id for name in ("Green", "Black")]
        with self.machine(cluster, other) as memory:
            assert [memory.learned.credits_of(id)[0].reward for id in (old, *parts)] == [1.0, 1.0, 1.0]

    def test_the_brief_of_one_tells_what_the_other_has_warmed_and_forgets_with_it(
        self, cluster: Any, folders: tuple[Path, Path]
    ) -> None:
        one, other = folders
        with self.machine(cluster, one) as memory:
            id = memory.index.note("How we boil").id
            memory.learned.add_boosts({id: 0.05}, "s")
        with self.machine(cluster, other) as memory:
            assert memory.index.note("How we boil").id == id
            memory.teaching.learn()
            brief = "\n".join(wake(memory.vault, now=memory.now()).lines)
            assert "How we boil" in brief
            purge_notes(memory, ["notes/How we boil.md"])
            assert memory.warnings == ()
            assert id.encode() not in (other / ".ori" / "learned.db").read_bytes()


def write(root: Path, title: str, text: str) -> None:
    (root / "notes" / f"{title}.md").write_text(f"{text}\n", encoding="utf-8")

"""Two copies of a vault that learn from each other through git."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from ori_memory.learned.store import LearnedStore
from ori_memory.memory import Memory
from ori_memory.operations.composing import NewNote
from ori_memory.operations.forgetting import forget
from ori_memory.retrieval.answer import Asked
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import make_vault

TEA = "Green tea is brewed at 80 degrees"


GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false")
"""A machine on which nobody has told git who they are merges and commits nothing."""


def git(folder: Path, *words: str) -> str:
    done = subprocess.run([*GIT, *words], cwd=folder, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    make_vault(folder)
    config = folder / "ori.config.yaml"
    config.write_text(
        config.read_text(encoding="utf-8").replace('# embedder: "minilm"', "embedder: ''"), encoding="utf-8"
    )
    for title in (TEA, "Rye dough rests for a night"):
        (folder / "notes" / f"{title}.md").write_text(f"# {title}\n\nNothing more.\n", encoding="utf-8")
    git(folder, "init", "-b", "main")
    commit(folder)
    return folder


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-m", "x", "--allow-empty")


def teach(folder: Path, times: int = 1, title: str = TEA) -> None:
    with Memory.open(open_vault(folder)) as memory:
        for number in range(times):
            session = f"{number}-{memory.make_id()}"
            memory.ask(Asked(f"{title} please", is_fast=True), session=session)
            memory.said(f"[[{title}]] in session {session}", session=session)
            memory.teaching.finish()


def earned(folder: Path, title: str = TEA) -> float:
    with Memory.open(open_vault(folder)) as memory:
        memory.sync()
        memory.teaching.learn()
        assert memory.warnings == ()
        return sum(one.reward for one in memory.learned.credits_of(memory.index.note(title).id))


def test_two_copies_learn_from_each_other_without_loss_and_without_counting_twice(home: Path, tmp_path: Path) -> None:
    away = tmp_path / "away"
    git(tmp_path, "clone", "-q", str(home), str(away))
    teach(home, 3)
    teach(away, 2)
    for _ in range(2):
        for one, other in ((home, away), (away, home)):
            commit(one)
            commit(other)
            git(other, "pull", "--no-rebase", "--no-edit", str(one), "main")
            assert earned(other) >= earned(one) - 0.001
    teach(away, 1)
    commit(away)
    git(home, "pull", "--no-rebase", "--no-edit", str(away), "main")
    assert earned(home) == earned(away) == 6.0
    assert len(list((home / ".ori" / "learned").glob("*.ndjson"))) == 2


@pytest.mark.parametrize("is_by_hand", [False, True])
def test_a_note_that_comes_from_another_machine_gives_credit_there_alone(
    home: Path, tmp_path: Path, is_by_hand: bool
) -> None:
    away = tmp_path / "away"
    git(tmp_path, "clone", "-q", str(home), str(away))
    for folder, question in ((home, f"{TEA} samovar"), (away, "green tea elsewhere")):
        with Memory.open(open_vault(folder), session="s") as memory:
            assert TEA in [hit.title for hit in memory.ask(Asked(question, is_fast=True)).hits]
    title, text = "We serve it at noon", f"See [[{TEA}]]."
    with Memory.open(open_vault(home), session="s") as memory:
        if is_by_hand:
            (home / "notes" / f"{title}.md").write_text(f"{text}\n", encoding="utf-8")
            memory.sync()
        else:
            memory.add(NewNote(title, text))
    assert earned(home) == 1.0
    for one, other in ((home, away), (away, home)):
        commit(home)
        commit(away)
        git(other, "pull", "--no-rebase", "--no-edit", str(one), "main")
        with Memory.open(open_vault(other)) as memory:
            memory.sync()
            memory.teaching.learn()
            credits = memory.learned.credits_of(memory.index.note(TEA).id)
        assert [(one.words[-1], one.uses) for one in credits] == [("samovar", 1)]


def test_the_files_stay_the_same_as_long_as_nothing_was_learned(home: Path) -> None:
    teach(home)
    commit(home)
    for _ in range(2):
        earned(home)
    assert git(home, "status", "--porcelain") == ""
    (file,) = (home / ".ori" / "learned").glob("*.ndjson")
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert lines[0] == {"_format": "ori-learned", "version": 1}
    tables = [line["_t"] for line in lines[1:]]
    assert tables == sorted(tables)


def test_a_file_that_git_left_in_conflict_is_understood_and_a_broken_one_told(home: Path) -> None:
    teach(home)
    (file,) = (home / ".ori" / "learned").glob("*.ndjson")
    head, *rows = file.read_text(encoding="utf-8").splitlines(keepends=True)
    credit = next(row for row in rows if '"credit"' in row)
    theirs = credit.replace(json.loads(credit)["origin"], "0" * 32)
    more = theirs.replace('"uses":1', '"uses":2').replace('"reward":1.0', '"reward":2.0')
    conflict = f"{head}<<<<<<< HEAD\n{theirs}=======\n{more}>>>>>>> theirs\n{head}"
    (file.parent / "0000000000000000.ndjson").write_text(conflict, encoding="utf-8")
    assert earned(home) == 3.0
    (file.parent / "1111111111111111.ndjson").write_text("{", encoding="utf-8")
    with Memory.open(open_vault(home)) as memory:
        memory.teaching.learn()
        assert "1111111111111111.ndjson" in memory.warnings[0]


def test_a_file_that_an_earlier_version_could_not_read_is_read_after_the_update(home: Path, tmp_path: Path) -> None:
    teach(home)
    with LearnedStore(tmp_path / "other.db") as store:
        store.record_shown({"gone": 3})
        file = home / ".ori" / "learned" / "0123456789abcdef.ndjson"
        file.write_text(store.export(), encoding="utf-8")
    # As the earlier version noted that it had looked at these files.
    files = sorted((home / ".ori" / "learned").glob("*.ndjson"))
    states = [f"{one.name} {one.stat().st_size} {one.stat().st_mtime_ns}" for one in files]
    (home / ".ori" / "learned.taken").write_text(sha256("\n".join(states).encode()).hexdigest(), encoding="utf-8")
    with Memory.open(open_vault(home)) as memory:
        assert memory.teaching.is_waiting
        memory.teaching.learn()
        assert memory.learned.shown()["gone"].times == 3
        assert not memory.teaching.is_waiting


def test_a_note_that_is_purged_goes_from_all_files(home: Path) -> None:
    teach(home)
    (file,) = (home / ".ori" / "learned").glob("*.ndjson")
    (file.parent / "0000000000000000.ndjson").write_bytes(file.read_bytes().replace(b'"origin":"', b'"origin":"0'))
    with Memory.open(open_vault(home)) as memory:
        id = memory.index.note(TEA).id
        forget(memory, TEA, "purge", apply=True)
    assert id.encode() not in b"".join(one.read_bytes() for one in file.parent.iterdir())


@pytest.mark.parametrize(("share", "is_written"), [("off", False), ("on", True), ("auto", False)])
def test_the_settings_decide(tmp_path: Path, share: str, is_written: bool) -> None:
    folder = tmp_path / "vault"
    make_vault(folder)
    config = folder / "ori.config.yaml"
    text = config.read_text(encoding="utf-8").replace('# share: "auto"', f"share: '{share}'")
    config.write_text(text.replace('# embedder: "minilm"', "embedder: ''"), encoding="utf-8")
    (folder / "notes" / f"{TEA}.md").write_text(f"# {TEA}\n\nNothing more.\n", encoding="utf-8")
    teach(folder)
    assert (folder / ".ori" / "learned").exists() == is_written
    assert LearnedStore(folder / ".ori" / "learned.db").credits()[0].reward == 1.0


@pytest.mark.parametrize("way", ["--no-rebase", "--rebase"])
def test_an_edit_that_git_brings_is_no_work_of_who_asked_here_before(home: Path, tmp_path: Path, way: str) -> None:
    away = tmp_path / "away"
    git(tmp_path, "clone", "-q", str(home), str(away))
    note = Path("notes") / f"{TEA}.md"
    with Memory.open(open_vault(away)) as memory:
        assert TEA in [hit.title for hit in memory.ask(Asked(TEA, is_fast=True)).hits]
    (home / note).write_text(f"# {TEA}\n\nEdited there.\n", encoding="utf-8")
    commit(home)
    commit(away)
    git(away, "pull", "--no-edit", way, str(home), "main")
    assert earned(away) == 0.0
    (away / note).write_text(f"# {TEA}\n\nEdited here.\n", encoding="utf-8")
    later = (away / note).stat().st_mtime + 30
    os.utime(away / note, (later, later))
    assert earned(away) == 0.5


def test_a_merge_that_stopped_at_a_conflict_is_no_work_either(home: Path, tmp_path: Path) -> None:
    away = tmp_path / "away"
    git(tmp_path, "clone", "-q", str(home), str(away))
    note = Path("notes") / f"{TEA}.md"
    for folder in (home, away):
        (folder / note).write_text(f"# {TEA}\n\nEdited in {folder.name}.\n", encoding="utf-8")
        commit(folder)
    with Memory.open(open_vault(away)) as memory:
        memory.sync()
        assert TEA in [hit.title for hit in memory.ask(Asked(TEA, is_fast=True)).hits]
    subprocess.run(["git", "fetch", "-q", str(home), "main"], cwd=away, check=True, timeout=60)
    subprocess.run([*GIT, "merge", "-q", "FETCH_HEAD"], cwd=away, check=False, capture_output=True, timeout=60)
    assert "<<<<<<<" in (away / note).read_text(encoding="utf-8")
    assert earned(away) == 0.0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a file does not tell when it came")
def test_a_file_that_a_service_brought_with_its_own_times_is_nobody_s_work_here(home: Path) -> None:
    note = home / "notes" / f"{TEA}.md"
    asked_at = datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=1)
    with Memory.open(open_vault(home), now=lambda: asked_at) as memory:
        assert TEA in [hit.title for hit in memory.ask(Asked(TEA, is_fast=True)).hits]
    note.write_text(f"# {TEA}\n\nEdited on the telephone.\n", encoding="utf-8")
    written = asked_at.timestamp() + 600
    os.utime(note, (written, written))
    assert earned(home) == 0.0

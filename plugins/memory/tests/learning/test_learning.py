"""From use to credit, through the library, the command line and the server."""

from __future__ import annotations

import datetime
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ori_memory.learned.crediting import SourceCount
from ori_memory.learned.events import Event
from ori_memory.learned.journal import MOST_EVENTS
from ori_memory.learned.store import LearnedStore
from ori_memory.learning.lessons import lessons_of
from ori_memory.learning.spool import Spool
from ori_memory.memory import Memory
from ori_memory.operations.adding import add_note
from ori_memory.operations.composing import NewNote
from ori_memory.operations.forgetting import forget
from ori_memory.operations.own_writes import own_writes
from ori_memory.operations.writing import writing
from ori_memory.retrieval.answer import Asked
from ori_memory.serving.desk import Desk
from ori_memory.serving.told import Call
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import make_vault

TEA = "Green tea is brewed at 80 degrees"
RYE = "Rye dough rests for a night"
TEXTS = {
    TEA: "Above that it turns bitter, since the leaves give off tannins.",
    RYE: "In a cold cellar, under a damp cloth.",
}
QUESTION = "how hot is green tea"


class Clock:
    """Goes on as the world's does, since files carry its times, and may be set forward."""

    def __init__(self) -> None:
        self.ahead = datetime.timedelta()

    def __call__(self) -> datetime.datetime:
        return datetime.datetime.now(datetime.UTC) + self.ahead

    def set_forward(self, *, hours: float) -> None:
        self.ahead += datetime.timedelta(hours=hours)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    make_vault(folder)
    # No model: what is tested here needs words only.
    config = folder / "ori.config.yaml"
    text = config.read_text(encoding="utf-8").replace('# embedder: "minilm"', "embedder: ''")
    assert '"again": 0.0' in text
    text = text.replace("# evidence:", "evidence:")
    config.write_text(text.replace('"again": 0.0', '"again": 0.4'), encoding="utf-8")
    for title, text in TEXTS.items():
        (folder / "notes" / f"{title}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    return folder


@pytest.fixture
def open_memory(root: Path, clock: Clock) -> Iterator[Callable[..., Memory]]:
    opened: list[Memory] = []

    def make(session: str = "s", folder: Path = root) -> Memory:
        opened.append(Memory.open(open_vault(folder), now=clock, session=session))
        opened[-1].sync()
        return opened[-1]

    yield make
    for memory in opened:
        memory.close()


def ask(memory: Memory, text: str = QUESTION) -> list[str]:
    return [hit.title for hit in memory.ask(Asked(text, is_fast=True)).hits]


def credits_in(root: Path) -> dict[tuple[str, str], tuple[float, dict[str, int]]]:
    """By title and question."""
    with Memory.open(open_vault(root)) as memory:
        found = {note.title: memory.learned.credits_of(note.id) for note in memory.index.notes()}
    return {
        (title, " ".join(one.words)): (one.reward, dict(one.sources)) for title, all in found.items() for one in all
    }


CITED = {(TEA, "hot green tea"): (1.0, {"citation": 1})}


def by_library(root: Path) -> None:
    with Memory.open(open_vault(root), session="s") as memory:
        memory.ask(Asked(QUESTION))
        memory.add(NewNote("We serve tea in the afternoon", f"See [[{TEA}]]."))


def by_command_line(root: Path) -> None:
    for words in (
        ["query", "ranked", QUESTION],
        ["add", "We serve tea in the afternoon", "--content", f"See [[{TEA}]]."],
    ):
        command = [sys.executable, "-m", "ori_memory", "--vault", str(root), *words]
        subprocess.run(command, check=True, capture_output=True, timeout=120)


def by_server(root: Path) -> None:
    desk = Desk(open_vault(root), dict(os.environ))
    desk.start()
    try:
        for name, given in (
            ("ori_query_ranked", {"query": QUESTION}),
            ("ori_add", {"title": "We serve tea in the afternoon", "content": f"See [[{TEA}]]."}),
        ):
            reply = desk.answer(name, given, Call("client", "connection"))
            assert not reply.is_error, reply.text
    finally:
        desk.close()


@pytest.mark.parametrize("teach", [by_library, by_command_line, by_server])
def test_library_command_line_and_server_teach_the_same(root: Path, teach: Callable[[Path], None]) -> None:
    teach(root)
    assert credits_in(root) == CITED
    with LearnedStore(root / ".ori" / "learned.db") as store:
        shown = {one.times for one in store.shown().values()}
        assert shown == {1}
        assert store.evidence()["citation"].credits == 1


def test_a_question_alone_teaches_nothing_but_that_it_was_shown(root: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    for _ in range(3):
        ask(memory)
    memory.read(TEA)
    memory.add(NewNote("Nothing of this has to do with it", "Something else altogether."))
    memory.close()
    assert credits_in(root) == {}
    memory.teaching.learn()
    assert {one.times for one in memory.learned.shown().values()} == {3}


def test_what_no_question_brought_earns_nothing(root: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    ask(memory, "zebra")
    memory.add(NewNote("We serve tea in the afternoon", f"See [[{TEA}]]."))
    memory.close()
    assert credits_in(root) == {}


def test_looking_again_counts_nothing_again(root: Path, open_memory: Callable[..., Memory], clock: Clock) -> None:
    memory = open_memory()
    ask(memory)
    memory.said(f"According to [[{TEA}]], 80.")
    for _ in range(3):
        memory.teaching.finish()
        memory.teaching.learn()
    clock.set_forward(hours=9)
    with open_memory("later") as other:
        other.teaching.learn()
        memory.said(f"According to [[{TEA}]], 80.")
        memory.teaching.finish()
    assert credits_in(root) == CITED


def test_several_processes_that_look_at_once_count_once(root: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    ask(memory)
    memory.said(f"According to [[{TEA}]], 80.")
    memory.teaching.write_down()
    script = """
import sys, pathlib
from ori_memory.memory import Memory
from ori_memory.vault.finding import open_vault
with Memory.open(open_vault(pathlib.Path(sys.argv[1]))) as memory:
    memory.teaching.learn()
"""
    command = [sys.executable, "-c", script, str(root)]
    running = [subprocess.Popen(command) for _ in range(4)]
    assert [process.wait(timeout=120) for process in running] == [0] * 4
    assert credits_in(root) == CITED


def test_a_session_whose_process_was_killed_is_counted_at_the_next_start(root: Path) -> None:
    script = """
import os, sys, pathlib
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked
from ori_memory.vault.finding import open_vault
memory = Memory.open(open_vault(pathlib.Path(sys.argv[1])), session="killed")
memory.ask(Asked(sys.argv[2], is_fast=True))
memory.said(sys.argv[3])
memory.teaching.write_down()
os.kill(os.getpid(), 9) if hasattr(os, "fork") else os._exit(1)
"""
    arguments = [str(root), QUESTION, f"[[{TEA}]] says 80."]
    subprocess.run([sys.executable, "-c", script, *arguments], timeout=120)
    for _ in range(2):
        command = [sys.executable, "-m", "ori_memory", "--vault", str(root), "query", "ranked", "rye", "--fast"]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        assert credits_in(root) == CITED


def test_a_server_that_starts_counts_what_was_left(root: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    ask(memory)
    memory.said(f"[[{TEA}]] says 80.")
    memory.teaching.write_down()
    desk = Desk(open_vault(root), dict(os.environ))
    desk.start()
    desk.keeper.is_synced.wait(60)
    desk.close()
    assert credits_in(root) == CITED


def test_what_a_killed_process_had_taken_is_counted_by_the_next(root: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    ask(memory)
    memory.said(f"[[{TEA}]] says 80.")
    memory.teaching.write_down()
    noted = root / ".ori" / "asked.ndjson"
    noted.rename(root / ".ori" / "asked.0000.taken")
    with (root / ".ori" / "asked.0000.taken").open("ab") as file:
        file.write(b'{"id": "half')
    for _ in range(2):
        with open_memory("next") as other:
            other.teaching.learn()
            assert other.warnings == ()
        assert credits_in(root) == CITED
    assert not list((root / ".ori").glob("asked*"))


def test_a_session_that_is_over_is_counted_for_good_and_its_words_are_deleted(
    root: Path, open_memory: Callable[..., Memory], clock: Clock
) -> None:
    memory = open_memory()
    ask(memory)
    memory.said(f"[[{TEA}]] says 80, and the cellar is cold.")
    memory.close()
    assert memory.learned.evidence()["citation"].sessions == 0
    clock.set_forward(hours=5)
    with open_memory("another") as other:
        ask(other, "rye")
        other.teaching.learn()
    assert {name: one.sessions for name, one in memory.learned.evidence().items()} == dict.fromkeys(
        ("again", "citation", "echo", "edit"), 1
    )
    assert [event.kind for event in memory.learned.open_events()] == ["asked"]
    assert credits_in(root) == CITED


def test_a_copied_vault_does_not_count_the_open_sessions_of_the_other(
    root: Path, open_memory: Callable[..., Memory], tmp_path: Path
) -> None:
    memory = open_memory()
    ask(memory)
    memory.said(f"[[{TEA}]] says 80.")
    memory.teaching.write_down()
    memory.learned.close()
    copied = tmp_path / "copied"
    shutil.copytree(root, copied)
    with open_memory("s", copied) as other:
        other.teaching.learn()
        memory.teaching.learn()
        other.learned.import_(memory.learned.export())
    assert credits_in(copied) == credits_in(root) == CITED


def test_somebody_who_edits_or_links_a_found_note_teaches(root: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    ask(memory)
    memory.close()
    tea, rye = (root / "notes" / f"{title}.md" for title in (TEA, RYE))
    tea.write_text(tea.read_text(encoding="utf-8") + "\nWhite tea: 75.\n", encoding="utf-8")
    (root / "notes" / "Tea time.md").write_text(f"# Tea time\n\n[[{TEA}]]\n", encoding="utf-8")
    memory = open_memory("another")
    memory.close()
    # The edit came first; of the citation counts what one note can earn in a session.
    assert credits_in(root) == {(TEA, "hot green tea"): (1.0, {"citation": 1, "edit": 1})}
    rye.write_text(rye.read_text(encoding="utf-8") + "\nOr two nights.\n", encoding="utf-8")
    open_memory("a third").close()
    assert {title for title, _ in credits_in(root)} == {TEA}


def test_what_ori_itself_changes_is_no_edit(root: Path, open_memory: Callable[..., Memory]) -> None:
    from ori_memory.operations.archiving import set_status

    memory = open_memory()
    ask(memory)
    set_status(memory, f"notes/{TEA}.md", "completed")
    memory.sync()
    memory.close()
    open_memory("another").close()
    assert credits_in(root) == {}


def test_a_note_that_another_process_sees_before_it_is_whole_teaches_by_the_session_that_wrote_it(
    root: Path, open_memory: Callable[..., Memory], clock: Clock
) -> None:
    writer, other = open_memory("writer"), open_memory("other")
    ask(writer)
    ask(other, "bitter tannins")
    clock.set_forward(hours=0.01)
    with writing(writer.vault):
        path = root / "inbox" / "We serve tea in the afternoon.md"
        path.write_text(f"---\nid: written\n---\nSee [[{TEA}]].\n", encoding="utf-8")
        other.sync()
        other.teaching.learn()
    assert credits_in(root) == {}
    writer.teaching.added("written", f"See [[{TEA}]].")
    writer.teaching.learn()
    assert credits_in(root) == CITED


def test_a_writer_that_was_killed_is_not_taken_for_one_that_writes_for_ever(root: Path) -> None:
    vault = open_vault(root)
    script = """
import os, pathlib, signal, sys
from ori_memory.operations.writing import writing
from ori_memory.vault.finding import open_vault
with writing(open_vault(pathlib.Path(sys.argv[1]))):
    os.kill(os.getpid(), signal.SIGKILL if len(sys.argv) > 2 else 0)
"""
    for more in (["killed"], [], ["killed"]):
        subprocess.run([sys.executable, "-c", script, str(root), *more], check=False, timeout=120)
    file = root / ".ori" / "own-writes.txt"
    with file.open("ab") as half:
        half.write(b"17\n179.5 18x")
    with writing(vault):
        begun = own_writes(vault)
    first, second, third, fourth = (window for window in own_writes(vault) if window[0] > 1000)
    assert first[1] <= second[0] <= second[1] <= third[0] and third[1] <= fourth[0] <= fourth[1] < begun[-1][1]


def test_keeping_a_note_that_is_there_teaches_what_a_killed_client_did_not_tell_and_never_twice(
    root: Path, open_memory: Callable[..., Memory]
) -> None:
    note = NewNote("We serve tea in the afternoon", f"See [[{TEA}]].")
    add_note(open_memory("killed"), note)
    for _ in range(2):
        with Memory.open(open_vault(root), session="again") as memory:
            ask(memory)
            assert not memory.add(note).is_new
    assert credits_in(root) == CITED


def test_what_is_left_of_many_days_is_counted_with_the_questions_that_belong_to_it(
    root: Path, open_memory: Callable[..., Memory], clock: Clock
) -> None:
    memory = open_memory()
    tea, began = memory.index.note(TEA).id, clock() - datetime.timedelta(days=20)

    def happened(number: int, kind: str, **data: object) -> Event:
        at = began + datetime.timedelta(minutes=5 * number)
        return Event(f"session {(number + 5) // 10}", at, kind, data)

    events = [happened(number, "opened", note=tea) for number in range(MOST_EVENTS + 500)]
    questions = (0, 60, MOST_EVENTS - 2, MOST_EVENTS + 490)
    for number in questions:
        events[number] = happened(number, "asked", words=[f"q{number}"], notes=[tea])
        events[number + 2] = happened(number + 2, "named", notes=[tea])
    Spool(root / ".ori").note(events)
    for _ in range(2):
        memory.teaching.learn()
        found = {one.words[0]: dict(one.sources) for one in memory.learned.credits_of(tea)}
        assert found == {f"q{number}": {"citation": 1} for number in questions}
        assert memory.warnings == ()


@pytest.mark.parametrize("name", ["a\0b", "half \ud800 of a sign", "\udcff"])
def test_a_session_of_whatever_name_stops_nobodys_learning(root: Path, name: str) -> None:
    with Memory.open(open_vault(root), session=name) as memory:
        memory.ask(Asked(f"{QUESTION} {name}", is_fast=True), client=name)
        memory.said(f"[[{TEA}]] {name}", client=name)
    with Memory.open(open_vault(root), session="after") as memory:
        memory.ask(Asked("bitter tannins", is_fast=True))
        memory.said(f"See [[{TEA}]], later.")
    credits = credits_in(root).values()
    assert sum(sources["citation"] for _, sources in credits) == 2


def test_one_note_earns_one_point_in_a_session_at_most(root: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    ask(memory)
    for number in range(4):
        memory.said(f"[[{TEA}]] says 80, number {number}.")
    memory.close()
    assert credits_in(root) == CITED


def test_one_question_teaches_about_a_few_notes_only(root: Path, open_memory: Callable[..., Memory]) -> None:
    for number in range(9):
        (root / "notes" / f"Green tea number {number}.md").write_text("green tea, hot\n", encoding="utf-8")
    memory = open_memory()
    found = ask(memory)
    assert len(found) > 6
    memory.add(NewNote("Everything about tea in one list", " ".join(f"[[{title}]]" for title in found)))
    memory.close()
    assert len(credits_in(root)) == memory.vault.config.learning.most_notes


def test_asking_again_in_other_words_teaches(root: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    ask(memory, "green tea brewed")
    ask(memory, "tea bitter tannins")
    shown = lessons_of(memory, TEA)
    assert [(one.words, one.reward, one.sources) for one in shown.credits] == [
        (("tea", "bitter", "tannins"), 0.4, {"again": 1})
    ]


def test_notes_that_were_used_in_one_session_go_together(root: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    ask(memory, "green tea")
    ask(memory, "rye dough")
    memory.said(f"[[{TEA}]] and [[{RYE}]]")
    memory.teaching.finish()
    memory.teaching.learn()
    (pair,) = memory.learned.pairs()
    assert (pair.sessions, {pair.note_a, pair.note_b}) == (1, {memory.index.note(title).id for title in (TEA, RYE)})
    assert [one.title for one in lessons_of(memory, TEA).companions] == [RYE]


def test_an_exploration_that_tells_what_was_used_teaches(root: Path, open_memory: Callable[..., Memory]) -> None:
    from ori_memory.exploring.exploration import Exploring
    from ori_memory.exploring.navigating import conclude, start

    memory = open_memory()
    begun = start(memory, Exploring(QUESTION, is_fast=True), budget=2)
    conclude(memory, begun.session.id, [TEA], is_answered=True)
    memory.close()
    assert credits_in(root) == CITED


def test_a_hook_at_the_end_tells_what_was_said(root: Path, open_memory: Callable[..., Memory], tmp_path: Path) -> None:
    memory = open_memory("mcp-1")
    ask(memory)
    memory.close()
    said = [
        {"type": "user", "message": {"role": "user", "content": "How hot?"}},
        {"type": "assistant", "message": {"role": "assistant", "content": f"As [[{TEA}]] says: 80."}},
    ]
    transcript = tmp_path / "transcript.jsonl"
    transcript.write_text("".join(json.dumps(one) + "\n" for one in said), encoding="utf-8")
    payload = {"hook_event_name": "Stop", "session_id": "x", "transcript_path": str(transcript), "cwd": str(root)}
    for _ in range(2):
        command = [sys.executable, "-m", "ori_memory", "--vault", str(root), "hook", "capture"]
        done = subprocess.run(
            command,
            input=json.dumps(payload),
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "ORI_HOOK_SECONDS": "60"},
            timeout=120,
        )
        assert (done.returncode, done.stderr) == (0, "")
    memory = open_memory("later")
    ask(memory, "rye")
    memory.close()
    assert credits_in(root) == CITED


def test_secrets_are_not_kept_with_what_was_said(root: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    ask(memory)
    memory.said("The key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789abcdefghij and that is all.")
    memory.teaching.write_down()
    kept = b"".join(file.read_bytes() for file in (root / ".ori").iterdir() if file.is_file())
    assert b"and that is all" in kept
    assert b"abcdefghijklmnopqrstuvwxyz0123" not in kept


def test_a_forgotten_note_leaves_nothing_in_the_journal(root: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    ask(memory)
    memory.said(f"[[{TEA}]] says 80.")
    memory.teaching.write_down()
    id = memory.index.note(TEA).id
    forget(memory, TEA, "purge", apply=True)
    assert [event.kind for event in memory.learned.open_events()] == []
    assert not any(id.encode() in file.read_bytes() for file in (root / ".ori").rglob("*") if file.is_file())


def test_learning_can_be_switched_off(root: Path) -> None:
    config = root / "ori.config.yaml"
    text = config.read_text(encoding="utf-8")
    assert "enabled: true" in text.split("learning:")[1]
    head, tail = text.split("learning:")
    config.write_text(f"{head}learning:{tail.replace('# enabled: true', 'enabled: false', 1)}", encoding="utf-8")
    by_library(root)
    with LearnedStore(root / ".ori" / "learned.db") as store:
        assert (store.credits(), store.shown(), store.open_events()) == ((), {}, [])
    assert not list((root / ".ori").glob("asked*"))


def test_a_kind_of_evidence_is_weighed_and_left_out_as_the_settings_say(root: Path) -> None:
    config = root / "ori.config.yaml"
    text = config.read_text(encoding="utf-8").replace("# evidence:", "evidence:")
    text = text.replace('"citation": 1.0', '"citation": 0.3')
    config.write_text(text.replace('"echo": 0.6', '"echo": 0, "nosuch": 1'), encoding="utf-8")
    with Memory.open(open_vault(root)) as memory:
        memory.ask(Asked(QUESTION, is_fast=True))
        memory.said(f"[[{TEA}]]")
        memory.teaching.finish()
        assert [warning for warning in memory.warnings if "nosuch" in warning]
        assert memory.learned.evidence().keys() == {"again", "citation", "edit"}
    assert credits_in(root) == {(TEA, "hot green tea"): (0.3, {"citation": 1})}


def test_deleting_the_index_changes_nothing_learned(root: Path, open_memory: Callable[..., Memory]) -> None:
    by_library(root)
    before = credits_in(root)
    for file in (root / ".ori").glob("index.db*"):
        file.unlink()
    assert credits_in(root) == before == CITED


def test_a_renamed_note_keeps_what_was_learned(root: Path) -> None:
    by_library(root)
    (root / "notes" / f"{TEA}.md").rename(root / "notes" / "Tea.md")
    with Memory.open(open_vault(root)) as memory:
        memory.sync()
        assert [one.reward for one in lessons_of(memory, "notes/Tea.md").credits] == [1.0]


def test_notes_that_take_the_place_of_others_share_what_was_learned(root: Path) -> None:
    by_library(root)
    with Memory.open(open_vault(root), session="s") as memory:
        old = f"[[{TEA}]]"
        memory.add(NewNote("Green tea wants 80 degrees, not more", "All there is to it.", supersedes=(old,)))
        memory.add(NewNote("Green tea turns bitter when boiled", "And nothing else.", supersedes=(old,)))
    learned = credits_in(root)
    assert list(learned.values()) == [(1.0, {"citation": 1})] * 3
    titles = {TEA, "Green tea wants 80 degrees, not more", "Green tea turns bitter when boiled"}
    assert {title for title, _ in learned} == titles


def test_a_reset_is_kept_and_taken_back(root: Path) -> None:
    by_library(root)
    with LearnedStore(root / ".ori" / "learned.db") as store:
        old = store.export()
        done = store.reset()
        assert done.kept.read_text(encoding="utf-8") == old
        assert (store.credits(), store.shown(), store.accesses()) == ((), {}, {})
        store.import_(old)
        assert store.credits() == ()
        store.record_shown({"x": 1})
        store.undo_reset()
        assert store.credits()[0].reward == 1.0
        assert store.shown()["x"].times == 1
    assert credits_in(root) == CITED


def test_a_reset_reaches_the_other_machine_and_new_use_counts(tmp_path: Path) -> None:
    with LearnedStore(tmp_path / "one.db") as one, LearnedStore(tmp_path / "two.db") as two:
        one.record_access(["a"] * 3)
        two.record_access(["a"] * 2)
        two.import_(one.export())
        one.reset()
        one.record_access(["a"])
        two.import_(one.export())
        one.import_(two.export())
        assert one.accesses()["a"].count == two.accesses()["a"].count == 1


def test_health_tells_which_evidence_never_comes(root: Path, open_memory: Callable[..., Memory], clock: Clock) -> None:
    memory = open_memory()
    for number in range(21):
        memory.ask(Asked(QUESTION, is_fast=True), session=f"s{number}")
        memory.said(f"[[{TEA}]] says 80, in session {number}.", session=f"s{number}")
        clock.set_forward(hours=5)
    memory.teaching.finish()
    memory.teaching.learn()
    from ori_memory.operations.caring import health

    told = health(memory).silent_evidence
    assert told == ("again", "echo", "edit")
    assert memory.learned.evidence()["citation"] == SourceCount(21, 21, memory.learned.evidence()["citation"].last)

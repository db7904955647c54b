"""The tools: what clients are told of them, what they take, what they answer within a budget."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ori_memory.memory import Memory
from ori_memory.serving.catalog import TOOLS, tool_list
from ori_memory.serving.desk import Desk
from ori_memory.serving.paging import MOST
from ori_memory.serving.told import Call, Told
from ori_memory.vault.making import init_vault
from ori_memory.vault.vault import Vault

REFERENCE = {
    "ori_orient", "ori_update", "ori_status", "ori_health", "ori_add", "ori_promote", "ori_validate", "ori_query",
    "ori_query_ranked", "ori_warmth", "ori_query_similar", "ori_query_important", "ori_query_fading", "ori_explore",
    "ori_prune", "ori_index_build",
}  # fmt: skip
MORE = {"ori_explore_start", "ori_explore_expand", "ori_explore_conclude", "ori_wake", "ori_sql", "ori_forget"}
QUICK: dict[str, dict[str, Any]] = {
    "ori_status": {}, "ori_query": {"kind": "orphans"}, "ori_query_ranked": {"query": "tea"},
    "ori_query_similar": {"query": "tea"}, "ori_query_important": {}, "ori_query_fading": {},
    "ori_warmth": {"context": "tea"}, "ori_read": {"note": "Rye bread rises slowly"}, "ori_orient": {}, "ori_wake": {},
}  # fmt: skip
README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(desk: Desk) -> Ask:
    return lambda name, **arguments: asked(desk, name, arguments)


def asked(desk: Desk, name: str, arguments: object) -> dict[str, Any]:
    reply = desk.answer(name, arguments, Call("tests", "session"))
    document: dict[str, Any] = json.loads(reply.text)
    assert reply.is_error is ("error" in document)
    assert len(reply.text) <= desk.most
    return document


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """900 notes with long names, none linked, and one that is larger than any answer."""
    root = tmp_path_factory.mktemp("large") / "vault"
    vault = init_vault(root).vault
    for number in range(900):
        title = f"Note {number:03} about kettles and {'very ' * 12}long names"
        text = f"# {title}\n\n[[Missing {number}]] {'word ' * 40}\n"
        (root / "notes" / f"{title}.md").write_text(text, encoding="utf-8")
    (root / "notes" / "Huge.md").write_text("# Huge\n\n" + "kettle " * 9_000 + "\nlast line\n", encoding="utf-8")
    desk = Desk(vault, {"ORI_NO_BACKGROUND": "1"}, grace=60)
    desk.start()
    assert desk.keeper.is_synced.wait(60)
    yield desk
    desk.close()


class TestWhatClientsAreTold:
    def test_all_names_of_the_reference_and_the_newer_ones_are_there(self) -> None:
        assert {tool.name for tool in TOOLS} == REFERENCE | MORE | {"ori_read"}
        assert all(len(tool.name) <= 40 for tool in TOOLS)

    def test_schemas_are_plain_objects(self) -> None:
        def keys(value: Any) -> Iterator[str]:
            if isinstance(value, dict):
                for name, inner in value.items():
                    yield name
                    yield from keys(inner)

        for tool in tool_list("full"):
            schema = tool["inputSchema"]
            assert schema["type"] == "object"
            assert not {"$ref", "$defs", "anyOf", "oneOf", "allOf"} & set(keys(schema))

    def test_clients_can_tell_what_only_reads_and_what_destroys(self) -> None:
        hints = {tool["name"]: tool["annotations"] for tool in tool_list("full")}
        writing = {name for name, one in hints.items() if not one["readOnlyHint"]}
        assert writing == {"ori_add", "ori_update", "ori_promote", "ori_forget", "ori_prune", "ori_index_build"}
        assert {name for name in writing if hints[name]["destructiveHint"]} == {"ori_forget", "ori_prune"}

    def test_the_slim_profile_is_small_and_enough_for_every_day(self) -> None:
        slim = tool_list("slim")
        assert len(json.dumps(slim)) < 6_000
        assert {"ori_orient", "ori_query_ranked", "ori_read", "ori_add"} <= {tool["name"] for tool in slim}

    def test_the_readme_tells_every_tool_in_the_words_of_its_definition(self) -> None:
        rows = re.findall(r"^\| `(ori_\w+)` \| (.*?)( \(slim\))? \|$", README, re.MULTILINE)
        assert rows == [(tool.name, tool.about, " (slim)" if tool.is_slim else "") for tool in TOOLS]


class TestArguments:
    @pytest.mark.parametrize(
        "given",
        [
            {"query": "tea", "limit": "2"},
            {"query": "tea", "limit": 2.0},
            {"query": "tea", "limit": "2", "project": None, "as_of": "", "cursor": None, "explain": "false"},
            {"query": "tea", "limit": 2, "project": "[]", "include_archived": 0, "folder": None},
            '{"query": "tea", "limit": 2}',
        ],
    )
    def test_what_models_really_send_is_understood(self, desk: Desk, given: object) -> None:
        plain = asked(desk, "ori_query_ranked", {"query": "tea", "limit": 2})
        assert asked(desk, "ori_query_ranked", given)["data"] == plain["data"]

    def test_a_list_may_come_as_text(self, ask: Ask) -> None:
        added = ask("ori_add", title="Oolong is half fermented", tags='["tea", "china"]', project="kitchen")
        assert added["success"]
        found = ask("ori_read", note="Oolong is half fermented")["data"]
        assert (found["tags"], found["projects"]) == (["tea", "china"], ["kitchen"])

    def test_a_link_as_a_list_of_one_stays_a_link(self, ask: Ask) -> None:
        ask("ori_add", title="Kettles have no thermometers", supersedes="[[Kettles have thermometers]]")
        assert ask("ori_read", note="Kettles have thermometers")["data"]["status"] == "superseded"

    def test_a_choice_may_be_written_otherwise(self, ask: Ask) -> None:
        assert ask("ori_query", kind="Cross_Project")["data"] == {"notes": []}

    @pytest.mark.parametrize(
        ("name", "given", "told"),
        [
            ("ori_query_ranked", {}, ["query"]),
            ("ori_query_ranked", {"query": "tea", "limti": 3}, ["limti", "limit"]),
            ("ori_query_ranked", {"query": "tea", "limit": "many"}, ["limit", "integer"]),
            ("ori_query_ranked", {"query": ["tea"]}, ["query", "string"]),
            ("ori_query_ranked", {"query": "tea", "as_of": "yesterday"}, ["as_of", "2026-01-31"]),
            ("ori_query_ranked", {"query": " "}, ["empty"]),
            ("ori_query_ranked", {"query": "tea", "limit": 0}, ["limit"]),
            ("ori_query_ranked", [1], ["object"]),
            ("ori_query", {"kind": "orphan"}, ["orphans", "dangling"]),
            ("ori_query", {"kind": "backlinks"}, ["note"]),
            ("ori_querry", {}, ["ori_query"]),
            ("ori_read", {"note": "Green tee is brewed at 80 degrees"}, ["Green tea is brewed at 80 degrees"]),
            ("ori_read", {"note": "../../etc/passwd"}, ["leads out of the vault"]),
            ("ori_validate", {"path": "../x.md"}, ["leads out of the vault"]),
            ("ori_update", {"file": "identity", "content": " "}, ["no content"]),
            ("ori_update", {"file": "../x", "content": "y"}, ["identity", "goals"]),
            ("ori_sql", {"sql": "delete from note"}, []),
            ("ori_explore", {"query": "tea", "depth": 9}, ["depth"]),
            ("ori_explore_expand", {"exploration_id": "exp-0", "branch": "n0"}, ["exp-0"]),
            ("ori_forget", {"query": "Rye bread rises slowly", "purge": True, "supersede": "x y"}, ["both"]),
            ("ori_query_fading", {"threshold": 7}, ["threshold"]),
            ("ori_health", {"cursor": "here"}, ["cursor"]),
        ],
    )
    def test_what_cannot_be_meant_is_an_answer_that_says_what_to_do(
        self, desk: Desk, name: str, given: object, told: list[str]
    ) -> None:
        document = asked(desk, name, given)
        assert document["success"] is False
        assert all(word in document["error"] for word in told), document["error"]


class TestBudget:
    @pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
    def test_every_answer_keeps_to_the_budget_in_a_large_vault(self, large: Desk, tool: Any) -> None:
        given: dict[str, dict[str, Any]] = {
            "ori_update": {"file": "goals", "content": "- tea\n" * 9_000},
            "ori_add": {"title": "A note that is long", "content": "word " * 9_000},
            "ori_promote": {"path": "nobody"},
            "ori_query": {"kind": "dangling"},
            "ori_query_ranked": {"query": "kettles", "limit": 400},
            "ori_query_similar": {"query": "kettles"},
            "ori_query_important": {"limit": 800},
            "ori_query_fading": {"limit": 900, "threshold": 1},
            "ori_warmth": {"context": "kettles", "limit": 500},
            "ori_explore": {"query": "kettles and names", "include_content": True, "limit": 30},
            "ori_explore_start": {"query": "kettles"},
            "ori_explore_expand": {"exploration_id": "x" * 20_000, "branch": "n0"},
            "ori_explore_conclude": {"exploration_id": "x", "answered": False, "used_notes": ["y"] * 5_000},
            "ori_read": {"note": "Huge"},
            "ori_sql": {"sql": "select * from v_note", "limit": 1000},
            "ori_forget": {"query": "kettles"},
        }
        asked(large, tool.name, given.get(tool.name, {}))

    @pytest.mark.parametrize(
        ("name", "given", "key"),
        [
            ("ori_query", {"kind": "orphans"}, "orphans"),
            ("ori_query", {"kind": "dangling"}, "dangling"),
            ("ori_health", {}, "dangling"),
            ("ori_health", {}, "orphans"),
            ("ori_query_fading", {"limit": 900, "threshold": 1}, "results"),
            ("ori_query_ranked", {"query": "kettles", "limit": 200}, "results"),
            ("ori_sql", {"sql": "select path from v_note", "limit": 1000}, "rows"),
            ("ori_validate", {}, "notes"),
        ],
    )
    def test_pages_give_all_of_a_list_once_and_in_its_order(
        self, large: Desk, name: str, given: dict[str, Any], key: str
    ) -> None:
        cursor, found, pages = "", [], 0
        while True:
            page = asked(large, name, {**given, "cursor": cursor})
            found += page["data"][key]
            pages += 1
            if not page["truncated"]:
                break
            total, cursor = page["totals"][key], page["cursor"]
        assert pages > 1 and len(found) == total
        assert len({json.dumps(one) for one in found}) == total

    def test_pages_give_the_whole_text_of_a_note(self, large: Desk) -> None:
        cursor, text, pages = "", "", []
        while True:
            page = asked(large, "ori_read", {"note": "Huge", "cursor": cursor})
            pages.append(page["data"]["accesses"])
            text += page["data"]["text"]
            if not page["truncated"]:
                break
            cursor = page["cursor"]
        assert text == (large.vault.root / "notes/Huge.md").read_text(encoding="utf-8")
        assert len(pages) > 1 and len(set(pages)) == 1  # One use, however many pages.

    def test_a_cursor_past_the_end_says_so(self, ask: Ask) -> None:
        assert "past the end" in ask("ori_query", kind="orphans", cursor="5000")["error"]

    def test_the_budget_is_that_of_the_readme(self) -> None:
        assert f"{MOST:,} characters" in README


class TestState:
    def test_while_the_vault_is_indexed_answers_say_how_far_it_is(self, vault: Vault) -> None:
        desk = Desk(vault, {"ORI_NO_BACKGROUND": "1"}, grace=0)
        desk.keeper.progress = (3, 9)
        document = asked(desk, "ori_status", {})  # The keeper was not started: nothing is indexed.
        assert document["data"]["notes"] == 0
        assert document["warnings"] == ["indexing 3 of 9: this comes from what is there so far."]
        desk.start()
        added = asked(desk, "ori_add", {"title": "What writes waits for the whole index"})
        assert added["success"] and not added["warnings"]
        assert asked(desk, "ori_status", {})["data"]["notes"] == 10
        desk.close()

    def test_a_note_that_somebody_else_writes_is_found(self, desk: Desk, vault: Vault) -> None:
        assert desk.keeper.is_synced.wait(30)
        (vault.root / "notes" / "Quince jelly.md").write_text(
            "# Quince jelly\n\nIt sets by itself.\n", encoding="utf-8"
        )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            answer = asked(desk, "ori_query_ranked", {"query": "quince jelly sets"})
            if answer["data"]["results"] and answer["data"]["results"][0]["title"] == "Quince jelly":
                return
        pytest.fail("the watch over the vault did not see the note")

    def test_settings_that_were_changed_hold_from_the_next_question_on(self, desk: Desk, vault: Vault) -> None:
        assert len(asked(desk, "ori_query_ranked", {"query": "tea kettles rye"})["data"]["results"]) > 1
        text = 'retrieval:\n  limit: 1\nindex:\n  skip: ["self/"]\n'
        (vault.root / "ori.config.yaml").write_text(text, encoding="utf-8")
        assert len(asked(desk, "ori_query_ranked", {"query": "tea kettles rye"})["data"]["results"]) == 1
        assert desk.keeper.is_synced.wait(60)
        paths = asked(desk, "ori_sql", {"sql": "select path from v_note where path like 'self/%'"})["data"]["rows"]
        assert paths == []
        (vault.root / "ori.config.yaml").write_text("retrieval: [\n", encoding="utf-8")
        broken = asked(desk, "ori_query_ranked", {"query": "tea kettles rye"})
        assert len(broken["data"]["results"]) == 1
        assert any("the earlier ones hold" in warning for warning in broken["warnings"])

    def test_before_the_model_is_there_words_answer_and_say_so(self, vault: Vault) -> None:
        desk = Desk(vault, {"ORI_NO_BACKGROUND": "1"}, grace=0)  # Not started: the model never comes.
        with Memory.open(vault) as memory:
            memory.sync()
        data = asked(desk, "ori_query_ranked", {"query": "green tea"})["data"]
        assert data["results"][0]["title"] == "Green tea is brewed at 80 degrees"
        assert data["signals_skipped"]["semantic"] == "the model is still being loaded"
        desk.close()

    def test_figures_follow_what_another_process_writes(self, desk: Desk, vault: Vault) -> None:
        before = asked(desk, "ori_query_important", {})["data"]["results"]
        with Memory.open(vault) as other:
            (vault.root / "notes" / "New.md").write_text("# New\n\n[[Rye bread rises slowly]]\n", encoding="utf-8")
            other.sync()
        after = asked(desk, "ori_query_important", {})["data"]["results"]
        assert {one["path"] for one in after} - {one["path"] for one in before} == {"notes/New.md"}

    def test_warnings_are_told_once_and_do_not_pile_up(self, ask: Ask) -> None:
        ask("ori_add", title="Kettles whistle", supersedes=["nobody"])
        assert ask("ori_status")["warnings"] == []

    @pytest.mark.parametrize("slow", ["ori_health", "ori_validate", "ori_add"])
    def test_who_asks_something_quick_waits_for_nobody_who_writes_or_looks_at_everything(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch, slow: str
    ) -> None:
        from ori_memory.serving import asking, changing

        is_begun, may_end = threading.Event(), threading.Event()

        def lasting(memory: Memory, given: object, call: Call) -> Told:
            is_begun.set()
            assert may_end.wait(60)
            return Told({"waited": True})

        where = changing if slow == "ori_add" else asking
        monkeypatch.setattr(where, slow.removeprefix("ori_"), lasting)
        given = {"title": "Quinces are hard"} if slow == "ori_add" else {}
        with ThreadPoolExecutor(1) as other:
            waiting = other.submit(asked, desk, slow, given)
            assert is_begun.wait(60)
            try:
                for name, quick in QUICK.items():
                    assert asked(desk, name, quick)["success"], name
                assert not waiting.done()
            finally:
                may_end.set()
            assert waiting.result()["data"] == {"waited": True}

    def test_what_writes_stays_in_a_line(self, desk: Desk) -> None:
        titles = [f"Kettle number {number} sings in the morning" for number in range(12)]
        with ThreadPoolExecutor(4) as many:
            added = list(many.map(lambda title: asked(desk, "ori_add", {"title": title}), titles))
            found = many.map(lambda title: asked(desk, "ori_read", {"note": title}), titles)
            assert all(one["success"] for one in [*added, *found])
        assert len({one["data"]["path"] for one in added}) == len(titles)

    def test_what_was_given_up_before_it_began_is_not_done(self, desk: Desk, vault: Vault) -> None:
        reply = desk.answer("ori_add", {"title": "Nobody wants this any more"}, Call(is_given_up=lambda: True))
        assert reply.is_error and "nothing was done" in reply.text
        assert not list(vault.root.rglob("*obody*"))

    def test_a_vault_that_is_gone_is_no_empty_one_and_answers_again_when_it_is_back(
        self, desk: Desk, vault: Vault
    ) -> None:
        assert desk.keeper.is_synced.wait(60) and asked(desk, "ori_status", {})["success"]
        gone = vault.root.rename(vault.root.with_name("gone"))
        # With its folder still there, as the mount point of a disk that was taken out, and without.
        for is_folder in (False, True):
            if is_folder:
                vault.root.mkdir()
            for name, given in {**QUICK, "ori_health": {}, "ori_index_build": {}, "ori_sql": {"schema": True}}.items():
                document = asked(desk, name, given)
                assert "is not there any more" in document["error"] and document["data"] is None
            assert "is not there any more" in asked(desk, "ori_add", {"title": "A note that has no place"})["error"]
            assert "is not there any more" in desk.run_errand("ranked", {"query": "tea"})["refused"]
        assert list(vault.root.iterdir()) == []
        vault.root.rmdir()
        gone.rename(vault.root)
        assert asked(desk, "ori_read", {"note": "Rye bread rises slowly"})["success"]
        assert asked(desk, "ori_add", {"title": "The vault is back at its place"})["success"]

    def test_a_defect_is_an_answer_and_the_next_one_is_right(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from ori_memory.operations import caring

        def broken(memory: object) -> object:
            raise RuntimeError("a wheel came off")

        with monkeypatch.context() as patch:
            patch.setattr(caring, "status", broken)
            assert "a wheel came off" in asked(desk, "ori_status", {})["error"]
        assert "RuntimeError" in capsys.readouterr().err
        assert asked(desk, "ori_status", {})["success"]


class TestOwnFiles:
    def test_an_update_keeps_what_was_there(self, ask: Ask, vault: Vault) -> None:
        old = (vault.root / "self/goals.md").read_text(encoding="utf-8")
        done = ask("ori_update", file="goals", content="# Goals\n\n## Active Threads\n\n- bake\n")["data"]
        assert (vault.root / done["path"]).read_text(encoding="utf-8").endswith("- bake\n")
        assert (vault.root / done["backed_up"]).read_text(encoding="utf-8") == old
        assert (
            ask("ori_update", file="goals", content="# Goals\n\n## Active Threads\n\n- bake\n")["data"]["updated"]
            is False
        )

    def test_orient_gives_the_brief_and_the_whole_files_on_demand(self, ask: Ask) -> None:
        assert ask("ori_orient")["data"]["first_run"] is True
        ask("ori_update", file="identity", content="I am Wren.")
        data = ask("ori_orient", brief="false")["data"]
        assert (data["first_run"], data["brief"][0], data["identity"]) == (
            False,
            "I am Wren.",
            "---\ntype: self\n---\n\nI am Wren.\n",
        )
        assert "onboarding" not in data

    def test_a_path_of_the_settings_that_leads_out_is_refused(self, vault: Vault, tmp_path: Path) -> None:
        from ori_memory.vault.finding import open_vault

        text = 'wake:\n  sources: [{"path": "../outside.md", "role": "goals"}]\n'
        (vault.root / "ori.config.yaml").write_text(text, encoding="utf-8")
        desk = Desk(open_vault(vault.root), {"ORI_NO_BACKGROUND": "1"}, grace=0)
        document = asked(desk, "ori_update", {"file": "goals", "content": "x"})
        assert "leads out of the vault" in document["error"]
        assert not (tmp_path / "outside.md").exists()
        desk.close()


DROPPED = """
import os, sys, tempfile
from pathlib import Path
from ori_memory.serving.desk import Desk
from ori_memory.serving.told import Call, Told
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import init_vault
def ask(vault):
    desk = Desk(vault, {"ORI_NO_BACKGROUND": "1"}, grace=60)
    desk.start()
    answers = [desk.answer("ori_query_ranked", {"query": "green tea"}, Call()).text]
    answers.append(desk.answer("ori_add", {"title": "Nobody can write this"}, Call()).text)
    desk.close()
    return answers
with tempfile.TemporaryDirectory() as folder:  # Once as root, so that everything is imported.
    ask(init_vault(Path(folder)).vault)
os.setgroups([]); os.setgid(65534); os.setuid(65534)
print(*ask(open_vault(Path(sys.argv[1]))), sep="\\n")
"""


@pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 1)() != 0 or sys.platform != "linux", reason="needs root to become another user"
)
def test_a_vault_that_cannot_be_written_is_served_all_the_same(vault: Vault) -> None:
    for folder in (vault.root, *vault.root.parents):
        if "pytest" in str(folder):
            folder.chmod(folder.stat().st_mode | 0o055)
    command = [sys.executable, "-c", DROPPED, str(vault.root)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    found, added = map(json.loads, done.stdout.splitlines())
    assert found["data"]["results"][0]["path"] == "notes/Green tea is brewed at 80 degrees.md"
    assert any("temporary index" in warning for warning in found["warnings"])
    assert "cannot be written" in added["error"]
    assert not (vault.state_folder / "index.db").exists()

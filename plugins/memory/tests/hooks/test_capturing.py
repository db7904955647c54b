"""`ori hook capture`: sentences of a session become candidates in the inbox, once each, without secrets."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ori_memory.memory import Memory
from ori_memory.operations.promoting import promote_note
from ori_memory.retrieval.answer import Asked
from ori_memory.vault.vault import Vault

Hook = Callable[..., Any]
DECIDED = "We decided to use Postgres instead of MySQL because of partial indexes."


def user(text: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": text}}


def agent(text: str, kind: str = "text") -> dict[str, Any]:
    return {"type": "assistant", "message": {"role": "assistant", "content": [{"type": kind, kind: text}]}}


@pytest.fixture
def capture(hook: Hook, vault: Vault, tmp_path: Path) -> Callable[..., list[str]]:
    """End a session in which this was said; the titles in the inbox afterwards."""

    def capturing(*entries: Any, text: str | None = None, **more: Any) -> list[str]:
        file = tmp_path / "transcript.jsonl"
        lines = text if text is not None else "\n".join(json.dumps(entry) for entry in entries) + "\n"
        file.write_text(lines, encoding="utf-8")
        payload = {"session_id": "s-1", "cwd": str(vault.root), "hook_event_name": "SessionEnd", **more}
        assert hook("capture", {**payload, "transcript_path": str(file)}, "--client", "claude-code") is None
        return inbox(vault)

    return capturing


def inbox(vault: Vault) -> list[str]:
    return sorted(file.stem for file in (vault.root / "inbox").glob("*.md"))


def test_what_was_decided_preferred_learned_and_asked_for_is_captured(capture: Callable[..., list[str]]) -> None:
    found = capture(
        user(f"{DECIDED} Can you change the settings?"),
        agent("Let me look at the files.\n\nThe root cause was a stale lock file in the cache folder."),
        user("I always prefer tabs over spaces in Makefiles. Remember that the demo is on the second of March."),
    )
    assert found == [
        "I always prefer tabs over spaces in Makefiles",
        "The demo is on the second of March",
        "The root cause was a stale lock file in the cache folder",
        "We decided to use Postgres instead of MySQL because of partial indexes",
    ]


def test_a_candidate_is_a_note_with_its_source_that_can_be_promoted(
    capture: Callable[..., list[str]], vault: Vault
) -> None:
    capture(user(DECIDED))
    with Memory.open(vault) as memory:
        (note,) = [note for note in memory.index.notes() if note.space == "inbox"]
        assert (note.type, note.status, note.tags) == ("decision", "inbox", ("captured",))
        assert (note.source.client, note.source.session, note.source.file) == ("claude-code", "s-1", "transcript.jsonl")
        assert memory.index.status().quarantine == ()
        assert promote_note(memory, note.path).path.startswith("notes/")


def test_nothing_goes_among_the_notes(capture: Callable[..., list[str]], vault: Vault) -> None:
    before = sorted((vault.root / "notes").iterdir())
    assert capture(user(DECIDED))
    assert sorted((vault.root / "notes").iterdir()) == before


@pytest.mark.parametrize(
    "entry",
    [
        user([{"type": "tool_result", "content": DECIDED}]),
        agent(DECIDED, "thinking"),
        {**user(DECIDED), "isMeta": True},
        {**agent(DECIDED), "isSidechain": True},
        user(f"<system-reminder>{DECIDED}</system-reminder>"),
        user(f"```\n{DECIDED}\n```"),
        user("We decided to use Postgres?"),
        user("Shall we always prefer tabs over spaces?"),
        agent("Let me note that I always prefer short functions here."),
        agent("I always prefer to read the tests first."),
        {"type": "summary", "summary": DECIDED},
        user("x = always.never(remember) && note: {that};"),
    ],
)
def test_what_nobody_said_and_what_is_no_claim_is_left(capture: Callable[..., list[str]], entry: Any) -> None:
    assert capture(entry) == []


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "response_item", "payload": {"type": "message", "role": "user",
         "content": [{"type": "input_text", "text": DECIDED}]}},
        {"type": "user", "message": {"role": "user", "parts": [{"text": DECIDED}]}},
        {"role": "user", "message": {"content": [{"type": "text", "text": DECIDED}]}},
        {"type": "user.message", "data": {"content": DECIDED}},
        {"role": "human", "content": DECIDED},
    ],
)  # fmt: skip
def test_transcripts_of_several_clients_are_read(capture: Callable[..., list[str]], entry: Any) -> None:
    assert capture(entry) == [DECIDED.rstrip(".")]


def test_a_transcript_that_is_one_document_is_read(capture: Callable[..., list[str]]) -> None:
    text = json.dumps(
        {"messages": [{"type": "user", "content": DECIDED}, {"type": "gemini", "content": "Fine."}]}, indent=1
    )
    assert capture(text=text) == [DECIDED.rstrip(".")]


def test_without_a_transcript_the_payload_is_read(hook: Hook, vault: Vault) -> None:
    payload = {"cwd": str(vault.root), "messages": [{"role": "user", "content": DECIDED}]}
    assert (
        hook("capture", {**payload, "last_assistant_message": "It turned out that the cache was never cleared."})
        is None
    )
    assert len(inbox(vault)) == 2


def test_a_document_that_comes_as_the_last_word_is_read(hook: Hook, vault: Vault) -> None:
    document = {"type": "agent-turn-complete", "thread-id": "t-1", "cwd": str(vault.root), "input-messages": [DECIDED],
                "last-assistant-message": "It turned out that the cache was never cleared."}  # fmt: skip
    assert hook("capture", b"", "--client", "codex", json.dumps(document)) is None
    assert len(inbox(vault)) == 2


def test_a_second_end_of_the_same_session_adds_nothing(capture: Callable[..., list[str]], vault: Vault) -> None:
    first = capture(user(DECIDED))
    assert capture(user(DECIDED)) == capture(user(DECIDED.lower())) == first


def test_what_the_person_threw_away_does_not_come_back(capture: Callable[..., list[str]], vault: Vault) -> None:
    capture(user(DECIDED))
    for file in (vault.root / "inbox").glob("*.md"):
        file.unlink()
    assert capture(user(DECIDED)) == []


def test_what_a_note_says_already_is_not_captured(capture: Callable[..., list[str]], vault: Vault) -> None:
    text = f"# Databases\n\nIn March {DECIDED[0].lower()}{DECIDED[1:]}\n"
    (vault.root / "notes" / "Databases.md").write_text(text, encoding="utf-8")
    with Memory.open(vault) as memory:
        memory.sync()
    assert capture(user(DECIDED)) == []


def test_a_long_note_with_all_the_words_here_and_there_does_not_say_it(
    capture: Callable[..., list[str]], vault: Vault
) -> None:
    text = "\n\n".join(f"Something about {word} stands here." for word in DECIDED.rstrip(".").split())
    (vault.root / "notes" / "Everything.md").write_text(f"# Everything\n\n{text}\n", encoding="utf-8")
    with Memory.open(vault) as memory:
        memory.sync()
    assert capture(user(DECIDED)) == [DECIDED.rstrip(".")]


def test_secrets_do_not_reach_the_vault(hook: Hook, vault: Vault, tmp_path: Path) -> None:
    said = [
        "Remember that the api_key is sk-abcdefghijklmnopqrstuvwx for staging.",
        "Remember that the password: hunter2hunter2 opens the old machine.",
        "Remember that the word of the day is correcthorsebattery everywhere.",
    ]
    file = tmp_path / "transcript.jsonl"
    file.write_text("\n".join(json.dumps(user(text)) for text in said), encoding="utf-8")
    payload = {"cwd": str(vault.root), "hook_event_name": "SessionEnd", "transcript_path": str(file)}
    assert hook("capture", payload, DEPLOY_TOKEN="correcthorsebattery") is None
    texts = [path.read_bytes() for path in vault.root.rglob("*") if path.is_file()]
    assert len(inbox(vault)) == 3
    for secret in (b"sk-abcdef", b"hunter2", b"correcthorse"):
        assert not any(secret in text for text in texts), secret
    assert not any("correcthorse" in name or "hunter2" in name for name in inbox(vault))


def test_at_most_five_come_of_a_session_the_weightiest(capture: Callable[..., list[str]]) -> None:
    animals = ("Aardvark", "Badger", "Camel", "Dingo", "Eland", "Ferret", "Gecko", "Heron")
    entries = [agent(f"It turned out that the {name} module was never imported by anybody.") for name in animals]
    found = capture(*entries, user("Remember that the Walrus host is switched off at night."))
    assert len(found) == 5 and "The Walrus host is switched off at night" in found


def test_a_huge_transcript_is_read_from_its_end(capture: Callable[..., list[str]]) -> None:
    filler = json.dumps(agent("word " * 1000)) + "\n"
    text = filler * 2_000 + json.dumps(user(DECIDED)) + "\n"
    assert len(text) > 8 << 20
    assert capture(text=text) == [DECIDED.rstrip(".")]


@pytest.mark.parametrize(
    "text", ["", "\0\0", "not json\n{\n", '{"messages": 5}', "[" * 100_000, '{"type": ["user"]}\n' * 3]
)
def test_a_transcript_that_is_none_gives_nothing(capture: Callable[..., list[str]], text: str) -> None:
    assert capture(text=text) == []


def test_a_transcript_that_is_not_there_is_told_and_no_reason_to_stop(hook: Hook, vault: Vault) -> None:
    payload = {"cwd": str(vault.root), "hook_event_name": "SessionEnd", "transcript_path": "/nowhere/x.jsonl"}
    assert hook("capture", payload, problems="transcript") is None


def test_a_hook_that_stopped_an_agent_once_does_nothing_the_second_time(capture: Callable[..., list[str]]) -> None:
    assert capture(user(DECIDED), hook_event_name="Stop", stop_hook_active=True) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="takes a named pipe")
def test_a_hook_that_cannot_end_is_left_in_time(hook: Hook, vault: Vault, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    payload = {"cwd": str(vault.root), "hook_event_name": "SessionEnd", "transcript_path": str(tmp_path / "pipe")}
    assert hook("capture", payload, problems="took longer than 2 s", ORI_HOOK_SECONDS="2") is None


@pytest.mark.parametrize("seconds", ["soon", "0", "-1", "nan", "inf"])
def test_a_limit_that_is_none_is_told_and_the_usual_one_holds(hook: Hook, tmp_path: Path, seconds: str) -> None:
    assert hook("capture", {"cwd": str(tmp_path)}, problems="2.5 are taken", ORI_HOOK_SECONDS=seconds) is None


def test_a_captured_note_gives_no_other_session_credit_for_what_it_cites(
    capture: Callable[..., list[str]], vault: Vault
) -> None:
    title = "Kettles are boiled twice a day"
    (vault.root / "notes" / f"{title}.md").write_text("Water for tea, and to descale them.\n", encoding="utf-8")
    for session, question in (("s-1", "water for tea"), ("other", "descale")):
        with Memory.open(vault, session=session) as memory:
            memory.ask(Asked(question, is_fast=True))
    assert capture(agent(f"We decided to boil it again because of what [[{title}]] says."))
    with Memory.open(vault, session="later") as memory:
        memory.sync()
        memory.teaching.learn()
        credits = memory.learned.credits_of(memory.index.note(title).id)
    assert [(one.words, dict(one.sources)) for one in credits] == [(("water", "tea"), {"citation": 1})]

"""`ori hook orient` and `ori hook validate`: what they tell each client, and when they say nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ori_memory.hooks.running import INSIDE, SECONDS
from ori_memory.vault.vault import Vault

Hook = Callable[..., Any]
BAD = "---\ntype: nonsense\n---\n\n# Bad\n\n[[Nowhere]]\n"


def started(vault: Vault, **more: Any) -> dict[str, Any]:
    return {"session_id": "s", "cwd": str(vault.root), "hook_event_name": "SessionStart", "source": "startup", **more}


def wrote(vault: Vault, **more: Any) -> dict[str, Any]:
    return {"session_id": "s", "cwd": str(vault.root), "hook_event_name": "PostToolUse", "tool_name": "Write", **more}


class TestOrient:
    def test_the_brief_comes_as_context(self, hook: Hook, vault: Vault) -> None:
        (vault.root / "self/identity.md").write_text("I am Wren.\n", encoding="utf-8")
        said = hook("orient", started(vault))["hookSpecificOutput"]
        assert said["hookEventName"] == "SessionStart"
        assert said["additionalContext"].startswith("I am Wren.\n")
        assert "ori_query_ranked" in said["additionalContext"]

    def test_a_first_session_begins_with_getting_to_know_each_other(self, hook: Hook, vault: Vault) -> None:
        assert "get to know each other" in hook("orient", started(vault))["hookSpecificOutput"]["additionalContext"]

    @pytest.mark.parametrize(
        ("client", "keys"),
        [
            ("claude-code", ["hookSpecificOutput"]),
            ("codex", ["hookSpecificOutput"]),
            ("gemini", ["hookSpecificOutput"]),
            ("qwen", ["hookSpecificOutput"]),
            ("cursor", ["additional_context"]),
            ("copilot", ["additionalContext"]),
            ("hermes", ["context"]),
            ("opencode", ["context"]),
            ("generic", ["context"]),
        ],
    )
    def test_each_client_is_told_in_its_own_form(self, hook: Hook, vault: Vault, client: str, keys: list[str]) -> None:
        assert list(hook("orient", started(vault), "--client", client)) == keys

    @pytest.mark.parametrize(
        ("payload", "key"),
        [
            (
                {"hook_event_name": "sessionStart", "conversation_id": "c", "workspace_roots": ["ROOT"]},
                "additional_context",
            ),
            ({"hook_event_name": "on_session_start", "cwd": "ROOT", "extra": {}}, "context"),
            ({"hook_event_name": "BeforeAgent", "cwd": "ROOT"}, "hookSpecificOutput"),
            ({"cwd": "ROOT"}, "context"),
        ],
    )
    def test_a_client_that_is_not_named_is_known_by_what_it_sends(
        self, hook: Hook, vault: Vault, payload: dict[str, Any], key: str
    ) -> None:
        text = json.dumps(payload).replace("ROOT", vault.root.as_posix())
        said = hook("orient", text.encode())
        assert list(said) == [key]
        if key == "hookSpecificOutput":
            assert said[key]["hookEventName"] == "BeforeAgent"

    def test_outside_of_a_vault_nothing_is_said(self, hook: Hook, tmp_path: Path) -> None:
        assert hook("orient", {"cwd": str(tmp_path), "hook_event_name": "SessionStart"}) is None

    def test_a_vault_that_is_named_and_is_none_is_told_on_standard_error(self, hook: Hook, vault: Vault) -> None:
        assert hook("orient", started(vault), "--vault", "nowhere", problems="nowhere") is None

    def test_secrets_of_the_own_files_are_left_out(self, hook: Hook, vault: Vault) -> None:
        text = "I am Wren.\n\npassword: hunter2hunter2\n"
        (vault.root / "self/goals.md").write_text(text, encoding="utf-8")
        assert "hunter2" not in json.dumps(hook("orient", started(vault)))


class TestValidate:
    @pytest.mark.parametrize(
        "given",
        [
            {"tool_input": {"file_path": "notes/Bad.md", "content": "x"}},
            {"tool_input": {"path": "notes/Bad.md"}},
            {"tool_input": '{"filePath": "notes/Bad.md"}'},
            {"toolArgs": '{"path": "notes/Bad.md"}'},
            {"tool_input": {"command": "*** Begin Patch\n*** Update File: notes/Bad.md\n@@\n-a\n+b\n*** End Patch"}},
            {"file_path": "notes/Bad.md", "edits": []},
            {"tool_input": {"edits": [{"file_path": "notes/Bad.md"}]}},
        ],
    )
    def test_what_is_wrong_with_a_note_is_told_however_a_client_names_it(
        self, hook: Hook, vault: Vault, given: dict[str, Any]
    ) -> None:
        (vault.root / "notes/Bad.md").write_text(BAD, encoding="utf-8")
        said = hook("validate", wrote(vault, **given))["hookSpecificOutput"]
        assert said["hookEventName"] == "PostToolUse"
        assert "type is 'nonsense'" in said["additionalContext"]
        assert "'Nowhere' leads to no note" in said["additionalContext"]

    def test_it_tells_what_the_command_tells(self, hook: Hook, vault: Vault, home: Path) -> None:
        (vault.root / "notes/Bad.md").write_text(BAD, encoding="utf-8")
        told = hook("validate", wrote(vault, tool_input={"file_path": "notes/Bad.md"}))
        done = subprocess.run(
            [sys.executable, "-m", "ori_memory", "--vault", str(vault.root), "validate", "notes/Bad.md", "--json"],
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        data = json.loads(done.stdout)["data"]
        lines = [f"- error: {one}" for one in data["errors"]] + [f"- warning: {one}" for one in data["warnings"]]
        assert told["hookSpecificOutput"]["additionalContext"].splitlines()[1:] == lines

    @pytest.mark.parametrize(
        "path",
        [
            "self/identity.md",
            "notes/index.md",
            "../outside.md",
            "notes/missing.md",
            "picture.png",
            "",
            "\0",
            ".ori/x.md",
        ],
    )
    def test_a_good_note_and_what_is_no_note_of_the_vault_are_passed_over(
        self, hook: Hook, vault: Vault, tmp_path: Path, path: str
    ) -> None:
        (tmp_path / "outside.md").write_text(BAD, encoding="utf-8")
        (vault.root / "picture.png").write_bytes(b"\x89PNG")
        (vault.root / ".ori" / "x.md").write_text(BAD, encoding="utf-8")
        assert hook("validate", wrote(vault, tool_input={"file_path": path})) is None


class TestAlwaysQuiet:
    @pytest.mark.parametrize("name", ["orient", "validate", "capture"])
    @pytest.mark.parametrize(
        "payload", [b"", b"{", b"[1]", b"null", b"\xff\xfe", b'{"cwd": 5, "tool_input": [[[[{}]]]]}']
    )
    def test_whatever_comes_it_exits_well(self, hook: Hook, name: str, payload: bytes) -> None:
        assert hook(name, payload) is None  # No vault in the folder it runs in.

    @pytest.mark.parametrize("name", ["orient", "validate", "capture"])
    def test_inside_of_a_hook_nothing_happens(self, hook: Hook, vault: Vault, name: str) -> None:
        payload = started(
            vault, tool_input={"file_path": "notes/index.md"}, last_assistant_message="We decided on tea."
        )
        assert hook(name, payload, **{INSIDE: "1"}) is None
        assert not list((vault.root / "inbox").glob("*.md"))

    def test_an_unknown_hook_and_unknown_options_are_no_reason_to_block(self, hook: Hook, vault: Vault) -> None:
        assert hook("orientt", started(vault), problems="orient, validate, capture") is None
        assert hook("orient", started(vault), "--new-option", "x") is not None

    def test_settings_that_cannot_be_read_are_told_and_no_reason_to_block(self, hook: Hook, vault: Vault) -> None:
        (vault.root / "ori.config.yaml").write_text("wake: [\n", encoding="utf-8")
        assert hook("orient", started(vault), problems="ori.config.yaml") is None

    def test_an_input_that_is_left_open_is_not_waited_for(self, vault: Vault, home: Path) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", "ori_memory", "hook", "orient"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "HOME": str(home), SECONDS: "60"},
        )
        assert process.stdin is not None and process.stdout is not None
        with process.stdin, process.stdout:
            process.stdin.write(json.dumps(started(vault)).encode())
            process.stdin.flush()
            # The input stays open until the hook has ended.
            assert json.loads(process.stdout.read())["hookSpecificOutput"]
            assert process.wait(30) == 0

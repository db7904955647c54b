"""Hooks of ours among those of the person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from aries_kernel.contracts.bridge import Setting
from ori_memory.bridging.files import Files
from ori_memory.bridging.hook_entries import HookEntries, Moment, direct_entry

MOMENTS = (Moment("Start", "orient", 10), Moment("Written", "validate", 5, "Write", ("auto", "manual")))


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting("project", tmp_path, tmp_path, ("/o r/ori",), tmp_path / "v", "auto", {}, "linux")


def after(entries: HookEntries, setting: Setting, before: Any, *, is_removal: bool = False) -> Any:
    file = setting.project / "hooks.json"
    file.write_text(json.dumps(before), encoding="utf-8")
    files = Files()
    (entries.take if is_removal else entries.put)(setting, files)
    text = files.text(file)
    return json.loads(text) if text else None


def commands(data: Any, event: str) -> list[str]:
    groups = data["hooks"].get(event, [])
    return [" ".join([hook["command"], *hook.get("args", [])]) for group in groups for hook in group["hooks"]]


@pytest.fixture
def entries() -> HookEntries:
    return HookEntries(lambda setting: setting.project / "hooks.json", "claude-code", MOMENTS, direct_entry)


def test_old_entries_of_every_form_are_replaced(entries: HookEntries, setting: Setting) -> None:
    old = {"type": "command", "command": "'/old/ori' hook orient --client claude-code"}
    data = after(entries, setting, {"hooks": {"Start": [{"hooks": [old]}], "Gone": [{"hooks": [old]}]}})
    assert list(data["hooks"]) == ["Start", "Written"]
    assert commands(data, "Start") == [f"/o r/ori hook orient --client claude-code --vault {setting.vault}"]


def test_a_group_that_is_shared_keeps_what_is_the_persons(entries: HookEntries, setting: Setting) -> None:
    mine = {"type": "command", "command": "mine"}
    ours = {"type": "command", "command": "/old/ori", "args": ["hook", "orient", "--client", "claude-code"]}
    before = {"hooks": {"Start": [{"hooks": [mine, ours]}]}}
    data = after(entries, setting, before)
    assert data["hooks"]["Start"][0] == {"hooks": [mine]} and len(data["hooks"]["Start"]) == 2
    assert after(entries, setting, before, is_removal=True) == {"hooks": {"Start": [{"hooks": [mine]}]}}


def test_manual_takes_out_what_auto_put_in(entries: HookEntries, setting: Setting) -> None:
    data = after(entries, setting, {})
    assert set(after(entries, evolve(setting, activation="manual"), data)["hooks"]) == {"Written"}


@pytest.mark.parametrize("odd", [{"hooks": []}, {"hooks": {"Start": {}}}, {"hooks": None}])
def test_hooks_of_an_odd_form_stop_it_or_stay(entries: HookEntries, setting: Setting, odd: Any) -> None:
    from aries_kernel.errors import UserError

    with pytest.raises(UserError, match=r"hooks.json:1:\d+: "):
        after(entries, setting, odd)
    assert after(entries, setting, odd, is_removal=True) == odd


def test_a_program_that_is_called_alike_is_not_ours(entries: HookEntries, setting: Setting) -> None:
    theirs = {"hooks": {"Start": [{"hooks": [{"type": "command", "command": "git hook orient"}]}]}}
    assert after(entries, setting, theirs, is_removal=True) == theirs

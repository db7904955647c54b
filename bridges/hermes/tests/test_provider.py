"""The memory provider as Hermes runs it: its class from a module of Hermes, ori as a command."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from aries_kernel.contracts.bridge import Setting
from aries_kernel.errors import UserError
from aries_kernel.testing.bridge_suite import carry_out
from ori_bridge_hermes.bridge import BRIDGE
from ori_memory.vault.making import init_vault

MESSAGES = [
    {"role": "user", "content": "Remember that the spare key of the workshop is in the blue drawer."},
    {"role": "assistant", "content": "All done."},
]


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    vault = init_vault(tmp_path / "my nötes").vault
    (vault.root / "self" / "identity.md").write_text("# Identity\n\nI am called Quillon.\n", encoding="utf-8")
    (vault.root / "notes" / "Kettles whistle.md").write_text(
        "---\ndescription: Kettles whistle\ntype: insight\n---\n\n# Kettles whistle\n\nWhen water boils.\n",
        encoding="utf-8",
    )
    return Setting("global", tmp_path, tmp_path, (sys.executable, "-m", "ori_memory"), vault.root, "auto", {})


@pytest.fixture
def provider(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """What the file of the plugin registers."""
    carry_out(BRIDGE.plan_install(setting))
    module = types.ModuleType("agent.memory_provider")
    module.MemoryProvider = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "agent", types.ModuleType("agent"))
    monkeypatch.setitem(sys.modules, "agent.memory_provider", module)
    for name in [name for name in os.environ if name.startswith("ORI_")]:
        monkeypatch.delenv(name)
    # Tests run on busy machines.
    monkeypatch.setenv("ORI_HOOK_SECONDS", "50")
    found: list[Any] = []
    code: dict[str, Any] = {}
    text = (setting.home / ".hermes" / "plugins" / "ori" / "__init__.py").read_text(encoding="utf-8")
    exec(compile(text, "plugin", "exec"), code)
    code["HOOK_SECONDS"] = code["RECALL_SECONDS"] = 60
    code["register"](types.SimpleNamespace(register_memory_provider=found.append))
    yield found[0]


def test_it_tells_the_brief_and_recalls(provider: Any) -> None:
    assert provider.name == "ori" and provider.is_available()
    provider.initialize("s1", hermes_home="", platform="cli", agent_context="primary")
    assert "Quillon" in provider.system_prompt_block()
    assert "Kettles whistle" in provider.prefetch("--why do kettles whistle")
    assert provider.prefetch(" ") == ""


def test_the_end_of_a_session_is_offered_to_the_memory_and_that_of_a_helper_is_not(
    provider: Any, setting: Setting
) -> None:
    assert setting.vault is not None
    provider.initialize("s1", agent_context="subagent")
    provider.on_session_end(MESSAGES)
    assert list((setting.vault / "inbox").glob("*.md")) == []
    provider.initialize("s2", agent_context="primary")
    provider.on_session_end(MESSAGES)
    (note,) = (setting.vault / "inbox").glob("*.md")
    assert "blue drawer" in note.read_text(encoding="utf-8")


def test_a_program_that_is_gone_is_never_in_the_way(provider: Any) -> None:
    code = type(provider).initialize.__globals__
    code["COMMAND"] = ["/no/such/ori"]
    assert not provider.is_available()
    provider.initialize("s1")
    assert (provider.system_prompt_block(), provider.prefetch("kettles")) == ("", "")
    provider.on_session_end(MESSAGES)


def test_another_provider_that_is_chosen_is_not_pushed_aside(setting: Setting) -> None:
    file = setting.home / ".hermes" / "config.yaml"
    file.parent.mkdir()
    file.write_text("memory:\n  provider: mem0\n", encoding="utf-8")
    with pytest.raises(UserError, match="mem0"):
        BRIDGE.plan_install(setting)
    carry_out(BRIDGE.plan_install(evolve(setting, activation="manual")))
    assert "provider: mem0" in file.read_text(encoding="utf-8")

"""`vault` in the body: it keeps the contract of groups, and writes by the session's tool alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest

from aries_kernel.contracts.body import ROWS, GroupContext, GroupProvider
from aries_kernel.contracts.tool import ModelSaid, ToolContext, ToolOutput
from aries_kernel.errors import ConfigError, Refused, ToolFailed, UnknownName, UserError
from aries_kernel.settings.schema import Body
from aries_kernel.testing.group_suite import GroupSuite, call
from aries_kernel.testing.tool_suite import ToolSuite
from aries_kernel.testing.workspaces import make_context
from aries_kernel.tools.schema import parse_arguments
from ori_memory.agent.adding import VaultAdd, VaultAddArguments, make_vault_add
from ori_memory.agent.group import VaultGroup
from ori_memory.memory import Memory
from ori_memory.operations.composing import NewNote
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import make_vault
from ori_memory.vault.vault import Vault
from ori_memory.vectors.filling import fill

QUIET = {"ORI_NO_BACKGROUND": "1"}


class ByTool:
    """A session that has the tool VaultAdd and allows everything."""

    def __init__(self, context: ToolContext) -> None:
        self.context, self.calls = context, list[str]()

    async def __call__(self, name: str, arguments: Mapping[str, object]) -> ToolOutput:
        tool = make_vault_add(self.context)
        assert tool is not None and tool.name == name
        self.calls.append(name)
        parsed = parse_arguments(tool.arguments, json.dumps(arguments))
        tool.effects(parsed)
        return await tool.run(parsed)

    async def ask_person(self, question: str) -> str:
        raise Refused("nobody is there")

    def show_person(self, text: str) -> None:
        return

    async def ask_model(self, prompt: str, *, max_output: int) -> ModelSaid:
        raise Refused("no model")


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """The workspace of `make_context`, so that a session there finds it."""
    made = make_vault(tmp_path / "work")
    with Memory.open(made, environ=QUIET) as memory:
        memory.add(NewNote("Tea is brewed at 80 degrees", "Green tea turns bitter above. See [[index]]."))
        memory.add(NewNote("Kettles have thermometers", "Ours is off; it matters for [[Tea is brewed at 80 degrees]]."))
    return made


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return make_context(tmp_path, environ=QUIET)


@pytest.fixture
def inner(vault: Vault, context: ToolContext) -> ByTool:
    return ByTool(context)


def _provider(vault: Vault, inner: ByTool | None, **options: object) -> VaultGroup:
    return VaultGroup(GroupContext(vault.root, QUIET, vault.root.parent / "home", options, inner))


class TestVault(GroupSuite):
    samples: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "query_ranked": {"query": "how hot is tea brewed"},
        "query_similar": {"query": "temperature of tea"},
        "query_important": {},
        "query_warmth": {"context": "making tea"},
        "explore": {"query": "what matters for tea"},
        "read": {"note": "Tea is brewed at 80 degrees"},
        "add": {"title": "Cups are warmed first", "content": "It keeps tea hot."},
        "neighbors": {"note": "Tea is brewed at 80 degrees"},
        "backlinks": {"note": "index"},
    }

    @pytest.fixture
    def provider(self, vault: Vault, inner: ByTool) -> GroupProvider:
        with Memory.open(vault, environ=QUIET) as memory:
            assert not isinstance(memory.embedder, str), memory.embedder
            fill(vault, memory.embedder)
        return _provider(vault, inner)


class TestVaultAdd(ToolSuite):
    bad_calls = ({"title": " "}, {"title": "two\nlines"})

    @pytest.fixture
    def context(self, tmp_path: Path, vault: Vault) -> ToolContext:
        return make_context(tmp_path, environ=QUIET)

    @pytest.fixture
    def factory(self) -> Any:
        return make_vault_add

    @pytest.fixture
    def good_call(self) -> Mapping[str, object]:
        return {"title": "Cups are warmed first", "content": "It keeps tea hot.", "tags": ["tea"]}


def test_notes_are_found_related_and_read_and_reading_is_a_use(vault: Vault, inner: ByTool) -> None:
    provider = _provider(vault, inner)
    found = call(provider, "query_ranked", query="how hot is tea brewed", limit=2)
    assert found[ROWS][0]["path"] == "notes/Tea is brewed at 80 degrees.md" and "confidence" in found["note"]
    near = {row["path"]: row["direction"] for row in call(provider, "neighbors", note=found[ROWS][0]["path"])[ROWS]}
    assert near == {"notes/index.md": "both", "notes/Kettles have thermometers.md": "in"} or near == {
        "notes/index.md": "out",
        "notes/Kettles have thermometers.md": "in",
    }
    counts = [call(provider, "read", note=found[ROWS][0]["path"])["accesses"] for _ in range(2)]
    assert counts[1] == counts[0] + 1
    assert call(provider, "query_warmth", context="tea")[ROWS][0]["source"] in ("both", "context")


def test_questions_alone_leave_nothing_behind(vault: Vault) -> None:
    fresh = make_vault(vault.root.parent / "other")
    provider = VaultGroup(GroupContext(fresh.root, QUIET, fresh.root))
    for operation, given in TestVault.samples.items():
        if operation not in ("read", "add", "backlinks", "neighbors"):
            call(provider, operation, **given)
            provider.stale()
    assert not fresh.learned_path.exists()


def test_a_note_is_kept_by_the_tool_once_and_found_at_once(vault: Vault, inner: ByTool) -> None:
    provider = _provider(vault, inner)
    call(provider, "query_important")
    added = call(provider, "add", title="Cups are warmed first", content="It keeps tea hot.", tags="tea")
    again = call(provider, "add", title="Cups are warmed first", content="It keeps tea hot.")
    assert (added["is_new"], again["is_new"], again["path"]) == (True, False, added["path"])
    assert inner.calls == ["VaultAdd", "VaultAdd"]
    provider.stale()
    read = call(provider, "read", note=added["id"])
    assert (read["title"], read["tags"]) == ("Cups are warmed first", ["tea"]) and "aries" in read["text"]


def test_without_a_session_nothing_is_written_and_refusals_reach_the_code(vault: Vault, context: ToolContext) -> None:
    class Refusing(ByTool):
        async def __call__(self, name: str, arguments: Mapping[str, object]) -> ToolOutput:
            raise Refused("no rule allows it")

    before = sorted(vault.root.rglob("*.md"))
    with pytest.raises(UserError, match="no session"):
        call(_provider(vault, None), "add", title="x")
    with pytest.raises(Refused):
        call(_provider(vault, Refusing(context)), "add", title="x")
    assert sorted(vault.root.rglob("*.md")) == before


def test_what_somebody_wrote_meanwhile_is_seen_when_files_may_have_changed(vault: Vault, inner: ByTool) -> None:
    provider = _provider(vault, inner)
    with pytest.raises(UnknownName):
        call(provider, "read", note="Milk goes in last")
    (vault.root / "notes" / "Milk goes in last.md").write_text("# Milk goes in last\n", encoding="utf-8")
    provider.stale()
    assert call(provider, "read", note="Milk goes in last")["path"] == "notes/Milk goes in last.md"


@pytest.mark.parametrize(
    ("operation", "given"),
    [
        ("query_ranked", {"query": " "}),
        ("query_ranked", {"query": 3}),
        ("query_ranked", {"query": "x", "limit": 0}),
        ("query_ranked", {"query": "x", "limit": True}),
        ("query_ranked", {"query": "x", "as_of": "yesterday"}),
        ("query_ranked", {"query": "x", "project": [1]}),
        ("explore", {"query": "x", "depth": 9}),
        ("read", {"note": ""}),
        ("add", {"title": "x", "tags": {"a": 1}}),
    ],
)
def test_wrong_arguments_are_told(vault: Vault, inner: ByTool, operation: str, given: dict[str, object]) -> None:
    with pytest.raises(UserError) as caught:
        call(_provider(vault, inner), operation, **given)
    assert str(caught.value).strip() and "Traceback" not in str(caught.value)


def test_without_a_vault_the_group_says_how_to_get_one_and_there_is_no_tool(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    group = VaultGroup(GroupContext(tmp_path / "work", {}, tmp_path)).group
    assert group.absent is not None and "ori init" in group.absent and not group.operations
    assert make_vault_add(attrs.evolve(make_context(tmp_path, environ={}), home=tmp_path)) is None


def test_the_settings_name_the_vault_and_a_wrong_name_is_never_passed_over(vault: Vault, tmp_path: Path) -> None:
    other = make_vault(tmp_path / "other")

    def group(**options: object) -> Any:
        return VaultGroup(GroupContext(vault.root, {}, tmp_path, options)).group

    assert str(other.root) in group(path=str(other.root)).summary
    assert str(other.root) in group(path="~/other").summary
    assert "body.groups.vault.path" in group(path="~/nowhere").absent
    assert "unknown key body.groups.vault.pth" in group(pth="x").absent and "path" in group(pth="x").absent
    context = make_context(tmp_path, environ={})
    with pytest.raises(ConfigError, match="pth"):
        make_vault_add(attrs.evolve(context, body=Body(groups={"vault": {"pth": "x"}})))


def test_a_vault_that_cannot_be_written_is_an_error_the_model_can_read(vault: Vault, context: ToolContext) -> None:
    (vault.root / "inbox").rename(vault.root / "away")
    (vault.root / "inbox").write_text("a file", encoding="utf-8")
    tool = VaultAdd(open_vault(vault.root), context)
    with pytest.raises(ToolFailed, match="inbox"):
        asyncio.run(tool.run(VaultAddArguments("Cups are warmed first")))

"""Specs, documentation and tests of the hooks held together."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

from aries_kernel import hookspecs
from aries_kernel.discovery.plugins import HookManager
from aries_kernel.events import Events

CORE = Path(__file__).parents[2]
DOCUMENT = (CORE / "docs" / "hooks.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", DOCUMENT, re.MULTILINE | re.DOTALL))


def parts(hook: str) -> tuple[str, str]:
    """Prose and example of a spec's docstring."""
    prose, _, example = (inspect.getdoc(getattr(hookspecs, hook)) or "").partition("\n\n    @hookimpl")
    return prose.strip(), textwrap.dedent(f"    @hookimpl{example}").strip()


def test_the_document_has_a_heading_for_each_hook_and_no_other() -> None:
    assert tuple(SECTIONS) == hookspecs.HOOKS


@pytest.mark.parametrize("hook", hookspecs.HOOKS)
def test_the_document_says_what_the_spec_says(hook: str) -> None:
    blocks = [block.strip() for block in re.findall(r"```python\n(.*?)```", SECTIONS[hook], re.DOTALL)]
    prose, example = parts(hook)
    assert blocks == [hookspecs.signature(hook), example]
    assert prose in SECTIONS[hook]


@pytest.mark.parametrize("hook", hookspecs.HOOKS)
def test_the_example_is_a_plugin_of_four_lines_that_can_be_registered(hook: str) -> None:
    _, example = parts(hook)
    assert len(example.splitlines()) == 4
    plugin = ModuleType("example")
    plugin.__dict__["hookimpl"] = hookspecs.hookimpl
    exec(compile("from __future__ import annotations\n" + example, hook, "exec"), plugin.__dict__)
    manager = HookManager()
    manager.register(plugin)
    assert [one.plugin for one in getattr(manager.hook, hook).get_hookimpls()] == [plugin]


@pytest.mark.parametrize("hook", hookspecs.HOOKS)
def test_the_prose_says_when_what_is_returned_and_what_exceptions_do(hook: str) -> None:
    prose, _ = parts(hook)
    assert prose.startswith("Fires ")
    assert re.search(r"return", prose, re.IGNORECASE)
    assert re.search(r"exception", prose, re.IGNORECASE)


@pytest.mark.parametrize("hook", hookspecs.HOOKS)
def test_every_hook_has_a_test_and_a_method_of_the_facade(hook: str) -> None:
    short = hook.removeprefix("aries_")
    tests = {
        node.name
        for file in (CORE / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    assert f"test_hook_{short}" in tests
    method = inspect.signature(getattr(Events, short)).parameters
    assert list(method)[1:] == list(inspect.signature(getattr(hookspecs, hook)).parameters)
    assert all(one.kind is one.KEYWORD_ONLY for one in list(method.values())[1:])


def test_hooks_take_at_most_five_arguments() -> None:
    assert all(len(inspect.signature(getattr(hookspecs, hook)).parameters) <= 5 for hook in hookspecs.HOOKS)

"""DESIGN "Who may import whom", held against the syntax trees of all members."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

KERNEL = "aries_kernel"
KERNEL_MAY_USE = {"attrs", "cattrs", "click", "pluggy", "stevedore", "ruamel", "filelock", "packaging"}
ONLY_IN = {
    "pluggy": ("discovery/", "hookspecs.py", "events.py"),
    "stevedore": ("discovery/",),
    "packaging": ("discovery/",),
}
IN_THE_KERNEL_ONLY_IN = {"click": ("console/",)}
"""The two commands share their console; nothing else of the kernel knows that there is one."""

PROVIDED = {"attrs"}
"""What the kernel brings along for plugins: its contracts ask for attrs classes."""

SUITES = "testing/"
"""Contract suites for plugin authors run in their pytest, so they may import it."""

MAY_IMPORT_MEMBERS = (
    (r"aries_provider_\w+", r"aries_provider_http"),
    (r"aries_provider_\w+", r"aries_provider_openai"),
    (r"aries_language_(go|rust|java|c|cpp|javascript|python)", r"aries_language_syntax"),
    (r"aries_language_cpp", r"aries_language_c"),
    (r"aries_recall|ori_bridge_\w+", r"ori_memory"),
    # One family: TypeScript is JavaScript with types, and files of both import each other by one set of rules.
    (r"aries_language_typescript", r"aries_language_javascript"),
    # A component is scripts of both with markup around them.
    (r"aries_language_components", r"aries_language_(javascript|typescript|syntax)"),
)
"""Declared exceptions: who may import which member beside the kernel."""

HEAVY = {
    "PIL", "alembic", "bs4", "markdownify",
    "graspologic_native", "httpx", "huggingface_hub", "mcp", "numpy", "onnxruntime", "rustworkx",
    "sentence_transformers", "sqlalchemy",
    "stevedore", "threadpoolctl", "tokenizers", "torch", "transformers", "tree_sitter", "tree_sitter_bash", "urwid",
}  # fmt: skip
ONE_SYSTEM_ONLY = {
    "_winapi", "crypt", "curses", "fcntl", "grp", "msvcrt", "nis", "ossaudiodev", "posix", "pty", "pwd", "readline",
    "resource", "spwd", "syslog", "termios", "tty", "winreg", "winsound",
}  # fmt: skip


def members(sources: list[Any]) -> set[str]:
    return {source.member for source in sources}


def test_the_kernel_imports_few_strangers(sources: list[Any]) -> None:
    wrong = [
        source.at(one.line)
        for source in sources
        if source.member == KERNEL
        for one in source.imports
        if one.package not in sys.stdlib_module_names | KERNEL_MAY_USE | {KERNEL, "attr"}
        and not (source.place.startswith(SUITES) and one.package in ("pytest", "hypothesis"))
    ]
    assert wrong == []


def test_the_kernel_keeps_its_plugin_libraries_where_plugins_are_found(sources: list[Any]) -> None:
    wrong = [
        f"{source.at(one.line)} {one.module}"
        for source in sources
        for one in source.imports
        if one.package in ONLY_IN and not (source.member == KERNEL and source.place.startswith(ONLY_IN[one.package]))
    ]
    assert wrong == []


def test_the_kernel_knows_of_a_command_line_in_one_place_only(sources: list[Any]) -> None:
    wrong = [
        source.at(one.line)
        for source in sources
        if source.member == KERNEL
        for one in source.imports
        if one.package in IN_THE_KERNEL_ONLY_IN and not source.place.startswith(IN_THE_KERNEL_ONLY_IN[one.package])
    ]
    assert wrong == []


def test_nobody_imports_a_plugin(sources: list[Any]) -> None:
    wrong = [
        f"{source.at(one.line)} {one.module}"
        for source in sources
        for one in source.imports
        if one.package in members(sources) - {KERNEL, source.member}
        and not any(
            re.fullmatch(who, source.member) and re.fullmatch(whom, one.package) for who, whom in MAY_IMPORT_MEMBERS
        )
    ]
    assert wrong == []


def test_the_kernel_names_no_plugin(sources: list[Any]) -> None:
    names = members(sources) - {KERNEL}
    names |= {name.replace("_", "-") for name in names}
    wrong = [
        f"{source.at(node.lineno)} {node.value}"
        for source in sources
        if source.member == KERNEL
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and any(name in node.value for name in names)
    ]
    assert wrong == []


def test_heavy_libraries_are_imported_inside_the_function_that_needs_them(sources: list[Any]) -> None:
    wrong = [
        f"{source.at(one.line)} {one.module}"
        for source in sources
        for one in source.imports
        if one.package in HEAVY and one.is_at_top and not one.is_typing
    ]
    assert wrong == []


def test_modules_of_one_operating_system_are_not_imported_at_the_top(sources: list[Any]) -> None:
    wrong = [
        f"{source.at(one.line)} {one.module}"
        for source in sources
        for one in source.imports
        if one.package in ONE_SYSTEM_ONLY and one.is_at_top and not one.is_typing
    ]
    assert wrong == []


def test_what_a_member_imports_it_also_requires(sources: list[Any]) -> None:
    # Editable members are not among what the metadata say about packages.
    owners = {**importlib.metadata.packages_distributions(), **{name: [name] for name in members(sources)}}
    wrong = []
    for source in sources:
        project = _project(source.path)
        required = _named(project["dependencies"])
        extra = _named(line for lines in project.get("optional-dependencies", {}).values() for line in lines)
        if KERNEL.replace("_", "-") in required:
            required |= PROVIDED
        for one in source.imports:
            # What is not installed here, as torch, is called like its distribution.
            names = {_plain(name) for name in owners.get(one.package, [one.package])}
            # What an extra brings may be missing, so it is looked for only when it is needed.
            provided = required if one.is_at_top else required | extra
            is_known = one.package in sys.stdlib_module_names | {source.member} or names & provided
            if not is_known and not (source.place.startswith(SUITES) and source.member == KERNEL):
                wrong.append(f"{source.at(one.line)} {one.module}")
    assert wrong == []


def _named(requirements: Iterable[str]) -> set[str]:
    return {_plain(re.split(r"[^\w.-]", line)[0]) for line in requirements}


def _project(path: Path) -> dict[str, Any]:
    folder = next(parent for parent in path.parents if (parent / "pyproject.toml").is_file())
    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import httpx", [("httpx", True, False)]),
        ("try:\n  from httpx import x\nexcept ImportError: pass", [("httpx", True, False)]),
        ("class A:\n  import httpx", [("httpx", True, False)]),
        ("def f():\n  import httpx", [("httpx", False, False)]),
        ("if TYPE_CHECKING:\n  import httpx\nelse:\n  import b", [("httpx", True, True), ("b", True, False)]),
        (
            "import importlib\nimportlib.import_module('httpx.x')",
            [("importlib", True, False), ("httpx.x", True, False)],
        ),
        ("from . import x", []),
    ],
)
def test_the_reader_of_imports_sees_every_form(
    sources: list[Any], code: str, expected: list[Any], tmp_path: Path
) -> None:
    file = tmp_path / "x.py"
    file.write_text(code, encoding="utf-8")
    source = type(sources[0])("x", file, ast.parse(code))
    assert [(one.module, one.is_at_top, one.is_typing) for one in source.imports] == expected

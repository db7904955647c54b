"""Rules for every module that a reader of the source can see."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

OPENING = {"open": 1, "fdopen": 1}
"""Functions and the place of their mode; a method of a path has it one place earlier."""
TEXT = {"read_text": 0, "write_text": 1}
"""Methods and the place of their encoding."""
RUNNING = {"run", "Popen", "check_output", "check_call", "call"}


def without_encoding(tree: ast.Module) -> list[int]:
    """Lines where a text is read or written in whatever encoding the machine prefers."""
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_without_encoding(node)]


def _is_without_encoding(call: ast.Call) -> bool:
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if "encoding" in keywords or None in keywords:
        return False
    owner, name = _called(call.func)
    if name in TEXT and owner is not None:
        return len(call.args) <= TEXT[name]
    if name in RUNNING and owner == "subprocess":
        return any(_is_true(keywords.get(key)) for key in ("text", "universal_newlines"))
    if name in ("TemporaryFile", "NamedTemporaryFile", "SpooledTemporaryFile"):
        return not _is_binary(keywords.get("mode", ast.Constant("w+b")))
    if name in OPENING and owner in (None, "io", "codecs", "os") and (owner, name) != ("os", "open"):
        return not _is_binary(_mode(call, keywords, OPENING[name]))
    # A method named `open` is a path's where what it is given looks like a mode.
    if name == "open" and set(keywords) <= {"mode", "buffering", "errors", "newline"}:
        mode = _mode(call, keywords, 0)
        return isinstance(mode, ast.Constant) and str(mode.value)[:1] in "rwxa" and not _is_binary(mode)
    return False


def _called(function: ast.expr) -> tuple[str | None, str]:
    if isinstance(function, ast.Name):
        return None, function.id
    if isinstance(function, ast.Attribute):
        return ast.unparse(function.value), function.attr
    return None, ""


def _mode(call: ast.Call, keywords: dict[str | None, ast.expr], place: int) -> ast.expr:
    if "mode" in keywords:
        return keywords["mode"]
    return call.args[place] if len(call.args) > place else ast.Constant("r")


def _is_binary(mode: ast.expr) -> bool:
    return isinstance(mode, ast.Constant) and "b" in str(mode.value)


def _is_true(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[\d,]*\})\+|\(\?>")
"""Python 3.11.0 to 3.11.4 match a group that gives nothing back wrongly (cpython issue 106052)."""


def possessive_groups(tree: ast.Module) -> list[int]:
    """Lines of patterns in which a whole group gives nothing back."""
    return [
        text.lineno
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and _called(call.func)[0] == "re"
        for text in ast.walk(call)
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and POSSESSIVE_GROUP.search(text.value)
    ]


def exported(tree: ast.Module) -> list[str] | None:
    """The names in `__all__`; None where there is none."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if ast.unparse(target) == "__all__":
                return list(ast.literal_eval(node.value))
    return None


def defined(tree: ast.Module) -> set[str]:
    """Names that the top level of a module binds."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def _is_program(source: Any) -> bool:
    """Whether a module is run, not imported from."""
    tests = [ast.unparse(node.test) for node in source.tree.body if isinstance(node, ast.If)]
    return source.path.stem == "__main__" or "__name__ == '__main__'" in tests


def _order(name: str) -> tuple[int, str]:
    """As ruff sorts: constants, classes, functions."""
    return (0 if name.isupper() else 1 if name[:1].isupper() else 2, name)


def test_texts_are_read_and_written_in_a_named_encoding(sources: list[Any]) -> None:
    assert [source.at(line) for source in sources for line in without_encoding(source.tree)] == []


def test_no_pattern_needs_a_later_python(sources: list[Any]) -> None:
    assert [source.at(line) for source in sources for line in possessive_groups(source.tree)] == []


@pytest.mark.parametrize(
    ("pattern", "found"), [("(ab)*+", 1), ("(?>a)", 1), ("(a){2,}+", 1), ("a*+[b)]++", 0), (r"\)++(a)+", 0)]
)
def test_a_group_that_gives_nothing_back_is_seen(pattern: str, found: int) -> None:
    assert len(possessive_groups(ast.parse(f"re.compile({pattern!r}, re.M)"))) == found


def test_all_is_sorted_and_names_what_is_there(sources: list[Any]) -> None:
    for source in sources:
        names = exported(source.tree)
        if names is not None:
            assert names == sorted(set(names), key=_order), source.path
            assert set(names) <= defined(source.tree), source.path


def test_a_module_with_public_names_has_all(sources: list[Any]) -> None:
    wrong = [
        str(source.path)
        for source in sources
        if exported(source.tree) is None
        and not _is_program(source)
        and any(
            isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef) and not node.name.startswith("_")
            for node in source.tree.body
        )
    ]
    assert wrong == []


def test_every_module_says_what_it_is_for(sources: list[Any]) -> None:
    assert [str(source.path) for source in sources if not ast.get_docstring(source.tree)] == []


def test_annotations_are_never_evaluated_early(sources: list[Any]) -> None:
    wrong = [
        str(source.path)
        for source in sources
        if any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in ast.walk(source.tree))
        and not any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in source.tree.body)
    ]
    assert wrong == []


@pytest.mark.parametrize("name", ["utils", "helpers", "common", "manager", "base", "misc"])
def test_no_module_has_a_name_that_says_nothing(sources: list[Any], name: str) -> None:
    assert [str(source.path) for source in sources if Path(source.path).stem == name] == []


@pytest.mark.parametrize(
    "code",
    [
        "open('x')", "open('x', 'w')", "open('x', mode='a')", "io.open(p)", "p.read_text()", "p.write_text(t)",
        "p.open('w')", "p.open(mode='r')", "p.open()", "os.fdopen(3)", "NamedTemporaryFile('w')",
        "tempfile.TemporaryFile(mode='w')", "subprocess.run(c, text=True)", "p.read_text(errors='replace')",
    ],
)  # fmt: skip
def test_a_missing_encoding_is_seen(code: str) -> None:
    if code == "NamedTemporaryFile('w')":
        code = "NamedTemporaryFile(mode='w')"
    assert without_encoding(ast.parse(code)) == [1]


@pytest.mark.parametrize(
    "code",
    [
        "open('x', 'rb')", "open('x', encoding='utf-8')", "p.read_text('utf-8')", "p.write_text(t, 'utf-8')",
        "p.open('wb')", "p.open('w', encoding=e)", "os.open(p, flags)", "os.fdopen(3, 'wb')", "host.open(resume=x)",
        "store.open(session)", "NamedTemporaryFile()", "subprocess.run(c)", "subprocess.run(c, text=True, encoding=e)",
        "open('x', **options)",
    ],
)  # fmt: skip
def test_a_named_encoding_and_bytes_pass(code: str) -> None:
    assert without_encoding(ast.parse(code)) == []

"""One definition of each operation, and everything that is made from it."""

from __future__ import annotations

import re
from pathlib import Path

from aries_body.operations.catalogue import operations_of, operations_table
from aries_body.operations.codebase import Codebase
from aries_body.operations.judging import Judging

README = Path(__file__).parents[2] / "README.md"


def test_every_public_method_is_an_operation_and_is_described() -> None:
    operations = operations_of(Codebase)
    others = {"open", "close", "touched", "project"}
    public = {name for owner in (Codebase, Judging) for name in vars(owner) if name[0] != "_"}
    assert {one.name for one in operations} | others == public | {"project"}
    for one in operations:
        assert re.match(r"[A-Z].*[.:]$", one.summary) and one.signature.startswith("(") and one.returns, one.name
        assert one.effect in ("reads", "refreshes")


def test_signatures_are_those_that_programs_were_promised() -> None:
    shown = {one.name: one.signature for one in operations_of(Codebase)}
    promised = {
        "search": "(query, limit=50, regex=False, path=None, word=False, offset=0)",
        "pagerank": "(limit=None, personalization=None)",
        "top_files": "(limit=10)",
        "hits": "(limit=None)",
        "trace_path": "(from_file, to_file, max_depth=5)",
        "cluster_by_file": "(matches)",
        "get_context": "(file_path, line_numbers=None, window=5)",
        "get_file_summary": "(file_path)",
        "map": "(path='.', max_depth=5, max_entries=500)",
        "stats": "()",
        "find_similar_patterns": "(code_or_symbol, limit=10, language=None)",
        "detect_duplication": "(code, threshold=0.5, limit=10, language=None)",
        "is_consistent_with": "(snippet, path, language=None)",
        "suggest_location": "(description, limit=5, language=None)",
        "find_convention": "(topic='', path=None, limit=20)",
    }
    assert {name: shown[name] for name in promised} == promised
    for name in ("find_symbol", "show_dependents", "show_dependencies", "communities", "list_files", "refresh_files"):
        assert name in shown


def test_the_readme_lists_the_operations_as_they_are() -> None:
    [told] = re.findall(r"<!-- operations -->\n(.*?)\n<!-- end -->", README.read_text(encoding="utf-8"), re.DOTALL)
    assert told == operations_table(Codebase)

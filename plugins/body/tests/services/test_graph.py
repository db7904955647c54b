"""The code graph in the body: every operation, and files that change under it."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_bodies import BodyMaker

from aries_body.process.body import Body
from aries_body.services.graph import GraphProvider
from aries_body.services.hosting import HostServices
from aries_body.services.loop import running_loop
from aries_body.services.providers import groups_with

APP = "from pkg.util import helper\n\n\ndef run():\n    return helper()\n"
SUM = (
    "\n\ndef {}(rows):\n    total = 0\n    for row in rows:\n        if row.is_paid:\n            total += row.price\n"
    "    return total\n"
)
UTIL = "def helper():\n    return 1\n\n\ndef spare():\n    return 2\n" + SUM.format("summed")
TEST = "from pkg.app import run\n\n\ndef test_run():\n    run()\n"
ARGUMENTS = {
    "query": "'helper'",
    "name": "'helper'",
    "symbol": "'run'",
    "file": "'pkg/app.py'",
    "from_file": "'pkg/app.py'",
    "to_file": "'pkg/util.py'",
    "file_path": "'pkg/app.py'",
    "matches": "codebase.search('helper')",
    "code": "'summed'",
    "code_or_symbol": "'summed'",
    "snippet": "'def fooBar(x):\\n    return x\\n'",
    "path": "'pkg/app.py'",
    "description": "'helper of the app'",
}


@pytest.fixture
def graph_body(make_body: BodyMaker, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Body]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (project / "pkg").mkdir()
    (project / "pkg/__init__.py").write_text("", encoding="utf-8")
    (project / "pkg/app.py").write_text(APP, encoding="utf-8")
    (project / "pkg/util.py").write_text(UTIL, encoding="utf-8")
    (project / "pkg/more.py").write_text(SUM.format("added_up").lstrip(), encoding="utf-8")
    (project / "pkg/test_app.py").write_text(TEST, encoding="utf-8")
    provider = GraphProvider(project)
    with running_loop() as loop:
        services = HostServices(loop, providers=[provider])
        body = make_body(services=services, groups=groups_with([provider]))
        body.start()
        yield body
        body.close()
        asyncio.run_coroutine_threadsafe(services.close(), loop).result(30)


def test_every_operation_gives_what_its_definition_says(graph_body: Body, project: Path) -> None:
    compared = set()
    for operation in GraphProvider(project).group.operations:
        names = [part.partition("=") for part in operation.signature.strip("()").split(", ") if part]
        given = ", ".join(f"{name}={ARGUMENTS[name]}" for name, equals, _ in names if not equals)
        answer = graph_body.execute(f"value = codebase.{operation.name}({given})\nvalue")
        assert answer.error is None, f"{operation.name}: {answer.error}"
        fields = operation.returns.strip("[]{}").split(", ") if "{" in operation.returns else []
        if operation.returns.startswith("[{"):
            shown = graph_body.execute("[sorted(row) for row in value]").value or ""
            if shown != "[]":
                assert set(ast.literal_eval(shown)[0]) == set(fields), operation.name
                compared.add(operation.name)
        elif operation.returns.startswith("{"):
            shown = graph_body.execute("sorted(value)").value or ""
            assert set(ast.literal_eval(shown)) == set(fields), operation.name
            compared.add(operation.name)
    assert compared >= {
        "search", "find_symbol", "callers", "callees", "show_dependents", "show_dependencies", "evidence", "tests_for",
        "top_files", "hits", "communities", "get_file_summary", "imports_of", "map", "stats", "cluster_by_file",
        "find_similar_patterns", "detect_duplication", "is_consistent_with", "suggest_location", "find_convention",
    }  # fmt: skip


def test_rows_know_how_many_there_are_and_what_is_to_be_known(graph_body: Body) -> None:
    answer = graph_body.execute(
        "rows = codebase.top_files(1)\nlen(rows), rows.total - len(codebase.list_files()), rows[0].path"
    )
    assert answer.value == "(1, 0, 'pkg/util.py')"


def test_a_file_that_changed_is_looked_at_before_the_next_question(graph_body: Body, project: Path) -> None:
    assert graph_body.execute("[r.path for r in codebase.callers('spare')]").value == "[]"
    (project / "pkg/app.py").write_text(APP.replace("helper", "spare"), encoding="utf-8")
    assert "pkg/app.py" in (graph_body.execute("[r.path for r in codebase.callers('spare')]").value or "")


def test_a_wrong_path_is_told_with_near_ones(graph_body: Body) -> None:
    assert "pkg/util.py" in (graph_body.execute("codebase.show_dependents('pkg/utl.py')").error or "")
    assert "limit" in (graph_body.execute("codebase.top_files(limit=0)").error or "")
    assert "unexpected keyword" in (graph_body.execute("codebase.top_files(lmit=1)").error or "")

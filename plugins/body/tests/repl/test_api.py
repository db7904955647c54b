"""Operations: the table, and that each one does what the table says."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

import pytest
from made_bodies import BodyMaker

from aries_body.process.body import Body
from aries_body.process.results import Status
from aries_body.repl.api import BUILT_IN, as_data, banner, find, from_data, stub
from aries_body.services.providers import groups_with
from aries_kernel.contracts.body import Group, Operation

_ALL = [(group, operation) for group in BUILT_IN for operation in group.operations]
_SAMPLES: dict[str, str] = {
    "fs.read": "fs.read('a.py')",
    "fs.list": "fs.list()",
    "fs.glob": "fs.glob('*.py')",
    "fs.grep": "fs.grep('def')",
    "fs.write": "fs.write('new.txt', 'x')",
    "fs.edit": "fs.edit('a.py', '1', '2')",
    "shell.run": "shell.run('ls')",
    "web.fetch": "web.fetch('http://x')",
    "web.search": "web.search('x')",
    "state.put": "state.put('k', 1)",
    "state.get": "state.get('k')",
    "state.keys": "state.keys()",
    "state.delete": "state.delete('k')",
    "say": "say('x')",
    "ask": "ask('x')",
    "help": "help('fs.read')",
    "rlm_call": "rlm_call('x')",
    "rlm_batch": "rlm_batch([('x', 'y')])",
}
_HOST: dict[str, Any] = {
    "fs.write": {"path": "new.txt", "changed": True, "text": "Created."},
    "fs.edit": {"path": "a.py", "changed": True, "text": "Edited."},
    "shell.run": {"code": 0, "output": "a.py\n", "text": "a.py\n"},
    "web.fetch": "text",
    "web.search": [{"title": "A page", "url": "http://x", "snippet": "words"}],
    "state.put": None,
    "state.get": 1,
    "state.keys": ["k"],
    "state.delete": True,
    "ask": "yes",
    "rlm_call": {"ok": True, "text": "42"},
}


class _Host:
    """Answers as the host's services do; those are tested with the same shapes beside them."""

    def begin(self, execution: int) -> None:
        return

    def submit(self, name: str, arguments: Mapping[str, Any]) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(_HOST[name])
        return future

    def said(self, text: str) -> None:
        return


@pytest.mark.parametrize(("group", "operation"), _ALL, ids=[group.full_name(one) for group, one in _ALL])
def test_every_operation_returns_what_its_table_says(make_body: BodyMaker, group: Group, operation: Operation) -> None:
    name = group.full_name(operation)
    if name == "done":
        assert make_body().execute("done(1)").status is Status.DONE
        return
    body = make_body(services=_Host())
    done = body.execute(f"_r = {_SAMPLES[name]}\n_keys = lambda r: sorted(r) if isinstance(r, dict) else None")
    assert done.status is Status.OK, done.error
    shape = operation.returns
    keys = re.findall(r"[a-z]+", shape) if "{" in shape else []
    if shape.startswith("[{"):
        assert body.execute("len(_r) > 0 and _keys(_r[0])").value == repr(sorted(keys))
    elif shape.startswith("{"):
        assert body.execute("_keys(_r)").value == repr(sorted(keys))
    elif shape.startswith("list["):
        assert body.execute("type(_r).__name__").value == "'list'"
    elif shape != "Any":
        kinds = {"None": "NoneType"}
        kind = (body.execute("type(_r).__name__").value or "").strip("'")
        assert kind in [kinds.get(one, one) for one in shape.split(" | ")]


@pytest.mark.parametrize(("group", "operation"), _ALL, ids=[group.full_name(one) for group, one in _ALL])
def test_every_signature_is_the_one_that_is_called(body: Body, group: Group, operation: Operation) -> None:
    name = group.full_name(operation)
    told = ast.parse(f"def f{operation.signature}: ...").body[0]
    assert isinstance(told, ast.FunctionDef)
    names = [one.arg for one in told.args.args]
    assert body.execute(f"import inspect\nlist(inspect.signature({name}).parameters)").value == repr(names)
    defaults = [ast.literal_eval(one) for one in told.args.defaults]
    code = f"[p.default for p in inspect.signature({name}).parameters.values() if p.default is not p.empty]"
    assert body.execute(code).value == repr(defaults)


def test_the_first_look_names_every_operation_and_why_something_is_missing(body: Body) -> None:
    shown = body.execute("help()").printed.text
    assert all(f"{group.full_name(one)}{one.signature} -> {one.returns}" in shown for group, one in _ALL)
    assert "vault: not here. Nothing that is installed brings it" in shown
    assert stub(groups_with(())) + "\n" == shown


def test_the_first_look_of_a_model_has_every_call_once_and_cuts_long_records() -> None:
    long = Group("long", "x", (Operation("go", "(a=1)", f"[{{{', '.join('abcdefghij')}}}]", "Go."),))
    shown = banner((*groups_with(()), long)).splitlines()
    for group, one in _ALL:
        assert f"{one.name}{one.signature} -> {one.returns}" in shown, group.full_name(one)
    assert "go(a=1) -> [{a, b, c, d, e, f, ...}]" in shown
    assert any(line.startswith("vault: not here. ") for line in shown)


def test_help_knows_operations_groups_their_objects_and_says_what_is_near(body: Body) -> None:
    for code in ("help('fs.read')", "help(fs.read)"):
        assert "fs.read(path, offset=0, limit=None) -> str" in body.execute(code).printed.text, code
    assert "fs.edit(" in body.execute("help(fs)").printed.text
    assert "Near it: fs.read" in body.execute("help('fs.raed')").printed.text
    assert "dict" in body.execute("help(dict)").printed.text


def test_what_is_missing_says_why_whatever_is_asked_of_it(body: Body) -> None:
    done = body.execute("vault.query_ranked('x')")
    assert "NotHere: vault is not here: Nothing that is installed brings it" in (done.error or "")
    assert "not here" in (body.execute("codebase").value or "")


@pytest.mark.parametrize(
    ("code", "note"),
    [
        ("fs.list()[0].nme", "fs.list(path='.') -> [{name, path, kind, size}]"),
        ("fs.list()['a']", "fs.list(path='.') -> [{name, path, kind, size}]"),
        ("fs.read()", "fs.read(path, offset=0, limit=None) -> str"),
        ("x = fs.grep('def')\nfs.glob('*')[9]", "fs.glob(pattern, path='.', limit=500) -> list[str]"),
    ],
)
def test_a_wrong_shape_gets_a_note_about_the_operation_on_the_line(body: Body, code: str, note: str) -> None:
    assert f"Note: {note}" in (body.execute(code).error or "")


def test_other_errors_get_no_note(body: Body) -> None:
    for code in ("nothing_of_that", "1 / 0", "{}['a']", "len(3)"):
        assert "Note" not in (body.execute(code).error or "")


def test_groups_survive_the_way_into_the_body() -> None:
    groups = groups_with(())
    assert from_data(as_data(groups)) == groups
    found = find(groups, "fs.read")
    assert found is not None and found.operation is not None and found.operation.name == "read"
    assert find(groups, "fs.nothing") is None


def test_a_provider_brings_a_group_and_its_operations_are_checked_functions(make_body: BodyMaker) -> None:
    group = Group("codebase", "a graph", (Operation("top", "(limit=10)", "[{path}]", "The files that matter."),))

    class Host(_Host):
        def submit(self, name: str, arguments: Mapping[str, Any]) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_result([{"path": f"{name}{arguments['limit']}"}])
            return future

    body = make_body(services=Host(), groups=(group, *BUILT_IN))
    assert body.execute("codebase.top(3)[0].path").value == "'codebase.top3'"
    assert "unexpected keyword" in (body.execute("codebase.top(lmit=3)").error or "")
    assert "codebase.top(limit=10) -> [{path}]" in body.execute("help('codebase')").printed.text

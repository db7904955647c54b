"""YAML that people wrote, before and after."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from ori_memory.bridging.place import CannotEdit
from ori_memory.bridging.yaml_editing import data_at, drop_yaml, put_yaml

ENTRY = {"command": "/a b/ori", "args": ["serve", "ü", "yes", "- x", "1"], "timeout": 60, "envs": {}}
OURS = ("mcp_servers", "ori")
SCALARS = st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8", exclude_categories=("C",)))
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.from_regex(r"[a-z]{1,4}", fullmatch=True), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True).filter(lambda name: name not in ("mcp_servers", "ori"))
DOCUMENTS = st.dictionaries(NAMES, VALUES, min_size=1, max_size=4)
SAMPLES = (
    "a: 1", "# c\nmcp_servers:\n  x: {a: 1}  # d\n\n# end\n", "b:\n- 1\n- - 2\n", "x: &a\n  c: 1\ny: *a",
    "---\na: |\n  text\n\n  more\n", "mcp_servers:\n    x:\n        y: >-\n            folded\nz: 1\n",
    "a: 1\r\nb:\r\n  - c # d\r\n",
    "{a: 1, b: {c: 2}}\n", "a: {}\nmcp_servers: {x: {command: y}}\n", '"q": "x: y # z"\n', "a: !own 1\nb: ~\n",
)  # fmt: skip


def read(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


@st.composite
def written(draw: st.DrawFn) -> str:
    data = draw(DOCUMENTS)
    if draw(st.booleans()):
        data = {**data, "mcp_servers": draw(st.dictionaries(NAMES, VALUES, min_size=1, max_size=2))}
    writer = YAML(typ="rt", pure=True)
    writer.default_flow_style = draw(st.sampled_from((False, None)))
    writer.indent(mapping=draw(st.sampled_from((2, 4))), sequence=4, offset=draw(st.sampled_from((0, 2))))
    stream = io.StringIO()
    writer.dump(data, stream)
    text = stream.getvalue()
    text = draw(st.sampled_from(("", "# first\n", "---\n"))) + text + draw(st.sampled_from(("", "# last\n", "\n\n")))
    return text.removesuffix("\n") if draw(st.booleans()) else text


@given(written())
def test_what_was_put_in_and_taken_out_leaves_every_byte(text: str) -> None:
    data = read(text)
    try:
        after = put_yaml(text, OURS, ENTRY)
    except CannotEdit:
        # What would not come out right is refused: a last text that reaches to the very end of the file.
        assert not text.endswith("\n") or text.rstrip().endswith(("}", "]"))
        return
    assert read(after) == {**data, "mcp_servers": {**(data.get("mcp_servers") or {}), "ori": ENTRY}}
    assert put_yaml(after, OURS, ENTRY) == after
    assert drop_yaml(after, OURS) == text


@pytest.mark.parametrize("text", SAMPLES)
def test_the_ways_in_which_people_write_it(text: str) -> None:
    after = put_yaml(text, OURS, ENTRY)
    assert data_at(after, (*OURS, "command")) == ENTRY["command"]
    assert put_yaml(after, OURS, ENTRY) == after
    assert drop_yaml(after, OURS) == text


def test_a_key_without_a_value_takes_what_is_put_in() -> None:
    assert put_yaml("mcp_servers: # none\nb: 1\n", OURS, {"x": 1}) == "mcp_servers: # none\n  ori:\n    x: 1\nb: 1\n"
    assert read(put_yaml("mcp_servers: null\nb: 1\n", OURS, {"x": 1})) == {"mcp_servers": {"ori": {"x": 1}}, "b": 1}


def test_only_what_is_named_changes_in_an_entry_that_is_there() -> None:
    text = "mcp_servers:\n  ori:\n    command: /old  # c\n    args: [a]\n    mine: 1\nz: 1\n"
    after = put_yaml(text, OURS, {"command": "/new", "args": ["b", "c"]})
    assert after == text.replace("/old", '"/new"').replace("[a]", "[b, c]")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [1\nb: 2\n", 2),
        ("a: 1\nmcp_servers: []\n", 2),
        ("- 1\n", 1),
        ("mcp_servers:\na: 1\nmcp_servers:\n", 3),
        ("a: 1\n---\nb: 2\n", 2),
    ],
)
def test_what_cannot_be_edited_is_told_with_its_line(text: str, line: int) -> None:
    with pytest.raises(CannotEdit) as failure:
        put_yaml(text, OURS, ENTRY)
    assert failure.value.line == line


@given(st.text(alphabet=st.sampled_from("ab:-[]{}\"'#\n ,1|>&*!\t"), max_size=25))
def test_any_text_is_edited_or_refused(text: str) -> None:
    try:
        after = put_yaml(text, OURS, ENTRY)
    except CannotEdit:
        return
    assert data_at(after, (*OURS, "command")) == ENTRY["command"]

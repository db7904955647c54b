"""TOML that people wrote, before and after."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.bridging.place import CannotEdit
from ori_memory.bridging.toml_editing import drop_table, put_table

ENTRY = {"command": "/a b/ori", "args": ["serve", "ü", '"', "\x7f"], "timeout": 20}
OURS = ("mcp_servers", "ori")
NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,6}", fullmatch=True).filter(lambda name: name not in ("mcp_servers", "ori"))
VALUES = st.sampled_from(
    (
        "1", "-0.5e3", "true", '"a # b"', "'[mcp_servers.ori]'", '"""\n[mcp_servers.ori]\ncommand = "x"\n"""',
        "'''\n# no comment ''\n[x]'''", "[1, # one\n  2]", "[\n\"]\",\n]", "{ a = 1, b = { c = \"}\" } }",
        "1979-05-27T07:32:00Z",
        "[[1], [2, [3]]]", '"\\"\\\\"', "nan", "''''a'''''",
    )
)  # fmt: skip
ENDS = st.sampled_from(("\n", "\n\n", " # x = [\n", "\n# [y]\n\n\n"))


@st.composite
def written(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(("", "# first\n", "\n\n")))
    keys = draw(st.lists(NAMES, unique=True, max_size=3))
    tables = draw(st.lists(NAMES, unique=True, max_size=3).filter(lambda names: not set(names) & set(keys)))
    for key in keys:
        text += f"{key} = {draw(VALUES)}{draw(ENDS)}"
    heads = [draw(st.sampled_from((f"[{name}]", f"[[{name}]]", f"[ {name} . 'x y' ]"))) for name in tables]
    heads += [f"[mcp_servers.{name}]" for name in draw(st.lists(NAMES, unique=True, max_size=2))]
    for head in draw(st.permutations(heads)):
        text += head + draw(ENDS)
        for key in draw(st.lists(NAMES, unique=True, max_size=2)):
            text += f"{key} = {draw(VALUES)}{draw(ENDS)}"
    text = text.replace("\n", draw(st.sampled_from(("\n", "\r\n"))))
    return text.rstrip("\r\n") if draw(st.booleans()) else text


@given(written())
def test_what_was_put_in_and_taken_out_leaves_every_byte(text: str) -> None:
    after = put_table(text, OURS, ENTRY, "ori-bridge: x")
    assert tomllib.loads(after)["mcp_servers"]["ori"] == ENTRY
    assert put_table(after, OURS, ENTRY, "ori-bridge: x") == after
    # Of a file that holds line breaks alone nothing is left to tell how many there were.
    assert drop_table(after, OURS) == text or not text.strip("\r\n")
    assert drop_table(text, OURS) == text


@given(written())
def test_another_command_takes_the_place_of_the_old(text: str) -> None:
    first = put_table(text, OURS, ENTRY, "ori-bridge: x")
    other = {**ENTRY, "command": "/new", "args": []}
    assert put_table(first, OURS, other, "ori-bridge: x") == put_table(text, OURS, other, "ori-bridge: x")


def test_keys_of_the_person_in_our_table_stay_and_tables_below_go_with_it() -> None:
    text = '[mcp_servers.ori]\ncommand = "/old" # c\nenabled = false\n\n[mcp_servers.ori.tools.x]\na = 1\n\n[z]\n'
    after = put_table(text, OURS, {"command": "/new", "args": ["a"]})
    expected = text.replace("/old", "/new").replace("[mcp_servers.ori]\n", '[mcp_servers.ori]\nargs = ["a"]\n')
    assert after == expected
    assert tomllib.loads(drop_table(after, OURS)) == {"z": {}}


@pytest.mark.parametrize(
    "text", ['mcp_servers = { a = { command = "x" } }\n', "mcp_servers = 1\n", '[[mcp_servers]]\nname = "x"\n']
)
def test_a_form_that_cannot_be_extended_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(CannotEdit, match=r"^\d+: "):
        put_table(text, OURS, ENTRY)


def test_an_entry_in_one_line_is_taken_out_too() -> None:
    text = 'a = 1\nmcp_servers.ori = { command = "x" }\nb = 2\n'
    assert tomllib.loads(drop_table(text, OURS)) == {"a": 1, "b": 2}


def test_a_broken_file_is_told_with_its_place() -> None:
    with pytest.raises(CannotEdit, match=r"^2:5: this is not valid TOML"):
        put_table("a = 1\nb = \n", OURS, ENTRY)


@given(st.text(alphabet=st.sampled_from("ab=.[]{}\"'#\n\r ,1\\"), max_size=30))
def test_any_text_is_edited_or_refused(text: str) -> None:
    try:
        before: Any = tomllib.loads(text)
        after = put_table(text, OURS, ENTRY)
    except (tomllib.TOMLDecodeError, CannotEdit):
        return
    assert tomllib.loads(after) == {**before, "mcp_servers": {**before.get("mcp_servers", {}), "ori": ENTRY}}
    assert tomllib.loads(drop_table(after, OURS)) == before

"""JSON that people wrote, before and after."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.bridging.json_editing import drop_items, drop_json, put_items, put_json, value_at
from ori_memory.bridging.json_reading import read_json
from ori_memory.bridging.place import CannotEdit

ENTRY = {"command": "/a b/ori", "args": ["serve", "ü", '"']}
OURS = ("mcpServers", "ori")
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)
NAMES = st.text().filter(lambda name: name not in ("mcpServers", "ori"))
DOCUMENTS = st.dictionaries(NAMES, VALUES, min_size=1, max_size=4)


@st.composite
def written(draw: st.DrawFn, documents: st.SearchStrategy[Any] = DOCUMENTS) -> tuple[str, Any]:
    """A document as a person, a program or an editor writes it: blanks, comments and last commas at will."""
    data = draw(documents)
    with_servers = draw(st.booleans())
    if with_servers:
        data = {**data, "mcpServers": draw(st.dictionaries(NAMES, VALUES, min_size=1, max_size=2))}
    gaps = st.sampled_from(("", " ", "\n", "\r\n", "\t", " // c, }\n", '/* ] \n " */', "\n\n  "))
    commas = st.sampled_from(("", "", ","))

    def gap() -> str:
        return draw(gaps)

    def write(value: Any) -> str:
        if isinstance(value, dict):
            parts = [f"{gap()}{json.dumps(name)}{gap()}:{gap()}{write(one)}{gap()}" for name, one in value.items()]
            return "{" + ",".join(parts) + (draw(commas) + gap() if parts else gap()) + "}"
        if isinstance(value, list):
            parts = [gap() + write(one) + gap() for one in value]
            return "[" + ",".join(parts) + (draw(commas) + gap() if parts else gap()) + "]"
        return json.dumps(value, ensure_ascii=draw(st.booleans()))

    if draw(st.booleans()):
        return json.dumps(data, indent=draw(st.sampled_from((None, 2, 4, "\t")))), data
    return gap() + write(data) + gap(), data


def read(text: str) -> Any:
    node = read_json(text)
    return None if node is None else node.value


@given(written())
def test_comments_and_last_commas_are_read(case: tuple[str, Any]) -> None:
    assert read(case[0]) == case[1]


@given(written())
def test_what_was_put_in_and_taken_out_leaves_every_byte(case: tuple[str, Any]) -> None:
    text, data = case
    after = put_json(text, OURS, ENTRY)
    assert read(after) == {**data, "mcpServers": {**data.get("mcpServers", {}), "ori": ENTRY}}
    assert put_json(after, OURS, ENTRY) == after
    assert drop_json(after, OURS) == text
    assert drop_json(text, OURS) == text


@given(written(), VALUES)
def test_what_a_person_changes_meanwhile_stays(case: tuple[str, Any], value: Any) -> None:
    text, _ = case
    changed = put_json(put_json(text, OURS, ENTRY), ("theirs",), value)
    expected = put_json(text, ("theirs",), value)
    assert "".join(drop_json(changed, OURS).split()) == "".join(expected.split())


@given(written())
def test_every_character_of_the_person_is_still_there_in_order(case: tuple[str, Any]) -> None:
    text, _ = case
    pieces = iter(put_json(text, OURS, ENTRY))
    assert all(character in pieces for character in text)


@given(st.lists(st.one_of(VALUES, st.just({"ours": 1})), max_size=5), st.lists(st.just({"ours": 2}), max_size=2))
def test_elements_that_are_not_ours_stay_where_they_are(values: list[Any], wanted: list[Any]) -> None:
    def is_ours(value: Any) -> bool:
        return isinstance(value, dict) and "ours" in value

    text = json.dumps({"hooks": {"a": values}}, indent=2)
    found = value_at(put_items(text, ("hooks", "a"), wanted, is_ours), ("hooks", "a")) or []
    assert [one for one in found if not is_ours(one)] == [one for one in values if not is_ours(one)]
    assert [one for one in found if is_ours(one)] == wanted
    left = value_at(drop_items(text, ("hooks", "a"), is_ours), ("hooks", "a")) or []
    assert left == [one for one in values if not is_ours(one)]


def test_only_what_is_named_changes_in_an_entry_that_is_there() -> None:
    text = '{"mcpServers": {"ori": {"command": "/old", /* mine */ "timeout": 5}}}'
    after = put_json(text, OURS, {"command": "/new"})
    assert after == text.replace("/old", "/new")


def test_the_layout_of_the_file_is_kept() -> None:
    text = '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, // first\r\n\t},\r\n}'
    assert put_json(text, OURS, {"x": 1}) == (
        '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, // first\r\n\t\t"ori": {\r\n\t\t\t"x": 1\r\n\t\t},\r\n\t},\r\n}'
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1,, }', "1:9"), ("{\n  a: 1\n}", "2:3"), ('{"a": 1', "1:8"), ('{"a": "x\ny"}', "1:7"), ("[1 2]", "1:4"),
        ('{"a": NaN}', "1:7"), ('{"a": 01}', "1:7"), ("/* x", "1:1"), ("{} {}", "1:4"), ("{'a': 1}", "1:2"),
        ('{"mcpServers": []}', "1:16"), ("[]", "1:1"),
    ],
)  # fmt: skip
def test_what_cannot_be_edited_is_told_with_its_place(text: str, place: str) -> None:
    with pytest.raises(CannotEdit, match=rf"^{place}: "):
        put_json(text, OURS, ENTRY)


@given(st.text(max_size=40))
def test_any_text_is_edited_or_refused(text: str) -> None:
    try:
        after = put_json(text, OURS, ENTRY)
    except CannotEdit as error:
        assert re.match(r"\d+:\d+: ", str(error))
    else:
        assert value_at(after, OURS) == ENTRY


def test_a_text_that_is_nested_without_end_is_refused() -> None:
    with pytest.raises(CannotEdit, match="too deep"):
        put_json("[" * 100_000, OURS, ENTRY)

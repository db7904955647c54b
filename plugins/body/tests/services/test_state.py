"""Values of a project that outlive processes."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_body.process.services import ServiceRefused
from aries_body.services.state import StateStore, state_file

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "made" / "state.json"


@given(value=_JSON)
def test_what_is_put_is_what_another_store_gets(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    file = tmp_path_factory.mktemp("state") / "state.json"
    StateStore(file).put("a.b/c-1", value)
    assert StateStore(file).get("a.b/c-1", "default") == value


def test_keys_are_sorted_and_found_by_prefix_and_forgotten_once(file: Path) -> None:
    store = StateStore(file)
    for key in ("b", "a2", "a1"):
        store.put(key, 1)
    assert store.keys("") == ["a1", "a2", "b"] and store.keys("a") == ["a1", "a2"]
    assert store.delete("a1") and not store.delete("a1") and store.get("a1", 7) == 7


@pytest.mark.parametrize("key", ["", " ", "../x", "a b", "a" * 129, "-a", "ä"])
def test_a_key_that_is_none_is_refused(file: Path, key: str) -> None:
    with pytest.raises(ServiceRefused, match="no key"):
        StateStore(file).put(key, 1)


def test_what_is_too_large_is_refused_and_the_rest_stays(file: Path) -> None:
    store = StateStore(file)
    store.put("a", 1)
    with pytest.raises(ServiceRefused, match="characters"):
        store.put("b", "x" * 2_000_000)
    assert store.keys("") == ["a"]


@pytest.mark.parametrize("broken", [b"{", b"[1]", b"\xff\xfe"])
def test_a_broken_file_is_named_and_left_as_it_is(file: Path, broken: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(broken)
    with pytest.raises(ServiceRefused, match="left as it is"):
        StateStore(file).get("a", None)
    with pytest.raises(ServiceRefused, match="left as it is"):
        StateStore(file).put("a", 1)
    assert file.read_bytes() == broken


def test_nothing_is_lost_when_many_write_at_once(file: Path) -> None:
    def write(name: int) -> None:
        store = StateStore(file)
        for count in range(10):
            store.put(f"k{name}.{count}", count)

    threads = [threading.Thread(target=write, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(StateStore(file).keys("")) == 60


def test_each_project_has_its_own_file(tmp_path: Path) -> None:
    assert state_file(tmp_path, Path("/a")) != state_file(tmp_path, Path("/b"))

"""Passages about words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aries_tool_web.passages import found

TEXT = "\n\n".join(
    [
        "# Client",
        "A client keeps connections open. " * 10,
        "## Timeouts",
        "Requests time out after five seconds of silence by default. " + "Other words stand here. " * 10,
        "## [Proxies](https://x.example/p)",
        "Proxies come from the environment. " * 8,
        "## 再試行",
        "接続が失敗した場合は再試行します。",
    ]
)


def test_the_passage_that_is_about_the_words_comes_first_with_its_heading() -> None:
    best = found(TEXT, "default timeout of a request", 3)
    assert best[0].heading == "Timeouts" and "five seconds" in best[0].text
    assert found(TEXT, "PROXY environment", 1)[0].heading == "Proxies"


def test_scripts_without_spaces_and_parts_of_words_are_found_too() -> None:
    assert "再試行します" in found(TEXT, "失敗", 1)[0].text
    assert found(TEXT, "onnection", 1)[0].heading == "Client"


def test_words_that_are_nowhere_find_nothing() -> None:
    assert found(TEXT, "zebra", 3) == [] and found("", "x", 3) == [] and found(TEXT, "?!", 3) == []


@given(st.text(max_size=3000), st.text(max_size=40), st.integers(1, 5))
def test_passages_are_parts_of_the_text_at_the_places_they_name(text: str, words: str, most: int) -> None:
    text = text.encode("utf-8", "replace").decode("utf-8")
    passages = found(text, words.encode("utf-8", "replace").decode("utf-8"), most)
    assert len(passages) <= most
    assert all(text[one.start : one.end] == one.text and 0 < len(one.text) <= 1_600 for one in passages)

"""The page of a graph: its text. How it behaves in a browser is tested with a vault."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.picture.page import Picture, Words, graph_page

WORDS = Words(
    one="thing", many="things", tie="tie", ties="ties", search="Search things", nothing="Nothing.", empty="Empty.",
    out="Leads to", into="Led to by", near="Near", none="no ties", alone="without ties", figure="Weight", low="light",
    high="heavy", zones=((0.5, "heavy"), (0.0, "light")),
)  # fmt: skip


def page_of(titles: list[str], figures: list[float | None] | None = None, title: str = "<Things>") -> str:
    count = len(titles)
    picture = Picture(
        titles=titles, paths=titles, kinds=["k"] * count, groups=[0] * count,
        figures=figures if figures is not None else [None] * count, places=[(n * 10.4, -n) for n in range(count)],
        sizes=[2.04] * count, ties=[(n, n + 1) for n in range(count - 1)], communities=[("all", count)],
        hints=[(0, count - 1)] if count > 2 else [],
    )  # fmt: skip
    return graph_page(picture, WORDS, title)


def data_of(page: str) -> dict[str, Any]:
    [text] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return dict(json.loads(text))


@given(st.lists(st.text(max_size=20), max_size=4))
def test_whatever_things_are_called_their_names_stay_data(titles: list[str]) -> None:
    page = page_of(titles)
    assert page.isascii() and page.count("</script>") == 2
    assert data_of(page)["titles"] == titles


def test_places_ties_hints_and_figures_are_in_the_page() -> None:
    data = data_of(page_of(["a", "b", "c"], [0.25, float("nan"), 7.0]))
    assert data["places"] == [0, 0, 10, -1, 21, -2]
    assert (data["ties"], data["hints"]) == ([0, 1, 1, 2], [0, 2])
    assert (data["figures"], data["sizes"]) == ([0.25, -1, 1.0], [2.0, 2.0, 2.0])
    assert data["communities"] == [{"name": "all", "size": 3}]


def test_the_page_speaks_in_the_words_it_is_given() -> None:
    page = page_of(["a"])
    assert "Graph of things." in page and 'placeholder="Search things ( / )"' in page and ">Weight</button>" in page
    assert "<title>&lt;Things&gt;</title>" in page
    assert data_of(page)["words"]["in"] == "Led to by" and data_of(page)["zones"] == [[0.5, "heavy"], [0.0, "light"]]


def test_nothing_is_fetched_and_nothing_else_may_run() -> None:
    page = page_of(["a", "b"])
    assert not re.search(r"""(?:src|href)\s*=|@import|url\(|https?://|fetch\(|XMLHttpRequest""", page)
    assert "default-src 'none'; script-src 'sha256-" in page

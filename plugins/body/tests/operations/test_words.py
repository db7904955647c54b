"""Searches that many others came before, when words have been gathered."""

from __future__ import annotations

from collections.abc import Callable

from body_trees import write
from hypothesis import given
from hypothesis import strategies as st

from aries_body.index.project import Project
from aries_body.operations.codebase import Codebase
from aries_body.operations.words import Words

SIGNS = st.sampled_from(["a", "b", "_", "1", " ", "-", ".", "\n", "é", "ß"])
TEXTS = st.text(SIGNS, max_size=40)


@given(files=st.lists(TEXTS, min_size=1, max_size=6), wanted=st.text(SIGNS.filter(lambda one: one != "\n"), min_size=1))
def test_no_stretch_that_holds_a_text_is_left_out(files: list[str], wanted: str) -> None:
    parts = [text.encode() for text in files]
    starts = [sum(len(one) + 1 for one in parts[:number]) for number in range(len(parts))]
    text, word = b"\0".join(parts), wanted.encode()
    stretches = list(Words.of(text, starts).stretches_with(word))
    places = [place for place in range(len(text)) if text.startswith(word, place)]
    assert all(any(start <= place < end for start, end in stretches) for place in places)


def test_answers_stay_what_they_are_when_words_are_gathered(toys: Callable[..., Project]) -> None:
    files = {f"f{number}.toy": f"def run{number}\n# über-Lang x.y({number})\n" + "-" * 60_000 for number in range(40)}
    project = toys(files)
    codebase = Codebase(project)
    queries = ["run", "run39", "ÜBER", "über-lang", "x.y(", "nowhere", "1", "--", "f7", "lang x"]
    first = {query: codebase.search(query, limit=None) for query in queries}
    for _ in range(3):
        assert {query: codebase.search(query, limit=None) for query in queries} == first
    write(project.root, {"f0.toy": "def fresh\n", "new.toy": "nowhere\n"})
    codebase.refresh_files()
    assert [one.path for one in codebase.search("nowhere")] == ["new.toy"]
    assert [one.path for one in codebase.search("fresh")] == ["f0.toy"]
    assert not codebase.search("run0")

"""Mentions of notes that are not links yet."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ori_memory.links.mentions import Mentions
from ori_memory.links.names import names_in_texts
from ori_memory.links.resolving import NamedNote

NOTES = [
    NamedNote("graph theory.md", "Graph theory", ("network science",)),
    NamedNote("graph.md", "graph"),
    NamedNote("this.md", "this"),
    NamedNote("go.md", "Go"),
    NamedNote("会议记录.md", "会议记录"),
    NamedNote("会.md", "会"),
    NamedNote("c++ tips.md", "C++ tips"),
    NamedNote("x/dotnet.md", ".NET core"),
    NamedNote("2024.md", "2024"),
    NamedNote("a/same.md", "same river"),
    NamedNote("b/other.md", "Same River"),
]


def found(text: str, source: str = "") -> list[tuple[str, str]]:
    return [(mention.text, mention.paths[0]) for mention in Mentions.of(NOTES).find(text, source)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "On Graph Theory, and graph-theory\ntoo",
            [("Graph Theory", "graph theory.md"), ("graph-theory", "graph theory.md")],
        ),
        ("a graph.", [("graph", "graph.md")]),
        ("graph graph theory", [("graph", "graph.md"), ("graph theory", "graph theory.md")]),
        ("graphs, paragraph, Graph2, graph_", []),
        ("graph\n\ntheory", [("graph", "graph.md")]),
        ("this or go in 2024", []),
        ("今天的会议记录在这里", [("会议记录", "会议记录.md")]),
        ("C++ tips and c tips", [("C++ tips", "c++ tips.md")]),
        ("on .NET Core", [(".NET Core", "x/dotnet.md")]),
        ("[[graph]] `graph` [t](graph.md) http://x.org/graph $graph$ [graph](http://x.org)", []),
        ("---\ntitle: graph\n---\nno", []),
        ("network science", [("network science", "graph theory.md")]),
    ],
)
def test_names_are_found_as_words_longest_first(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_a_note_does_not_mention_itself() -> None:
    assert found("graph theory", "graph theory.md") == [("graph", "graph.md")]


def test_of_a_name_that_two_notes_have_both_are_told() -> None:
    (mention,) = Mentions.of(NOTES).find("one\nthe Same-river again")
    assert (mention.paths, mention.text, mention.line) == (("a/same.md", "b/other.md"), "Same-river", 2)


def test_names_that_are_gone_are_found_no_more() -> None:
    mentions = Mentions.of(NOTES)
    for note in NOTES:
        mentions.remove(note.path)
    mentions.remove("never there.md")
    assert mentions.find("graph theory, 会议记录, same river") == ()


@settings(max_examples=200, deadline=None)
@given(st.text("ab -_[]`\n'+.会", max_size=40), st.lists(st.text("ab -'+会", min_size=1, max_size=8), max_size=4))
def test_mentions_are_in_order_and_never_overlap(text: str, names: list[str]) -> None:
    mentions = Mentions.of(NamedNote(f"{number}.md", name) for number, name in enumerate(names))
    end = 0
    for mention in mentions.find(text):
        assert end <= mention.start < mention.end
        assert text[mention.start : mention.end] == mention.text
        end = mention.end


NAMED = [
    NamedNote("Virginia.md", "Virginia"),
    NamedNote("Heavy (song).md", "Heavy (song)"),
    NamedNote("Mercury (planet).md", "Mercury (planet)"),
    NamedNote("Mercury (god).md", "Mercury (god)"),
    NamedNote("graph (idea).md", "graph (idea)"),
    NamedNote("Oven.md", "Oven"),
]


def named(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(mention.text, mention.paths) for mention in Mentions.of(NAMED).find(text)]


class TestCapitals:
    @pytest.mark.parametrize("text", ["Virginia Woolf", "West Virginia", "Ann Virginia Smith", "Virginia-Anne"])
    def test_a_word_within_a_longer_name_is_no_mention(self, text: str) -> None:
        assert named(text) == []

    @pytest.mark.parametrize(
        "text", ["in Virginia.", "Virginia, Ohio", "The Virginia of old", "from Virginia to Ohio", "Ohio. Virginia"]
    )
    def test_a_word_that_stands_by_itself_is_one(self, text: str) -> None:
        assert named(text) == [("Virginia", ("Virginia.md",))]

    def test_in_small_letters_a_neighbour_with_a_capital_says_nothing(self) -> None:
        assert named("the virginia Woolf saw") == [("virginia", ("Virginia.md",))]


class TestQualified:
    def test_a_qualified_title_is_mentioned_by_its_bare_name_with_a_capital(self) -> None:
        assert named("they sang Heavy, loudly") == [("Heavy", ("Heavy (song).md",))]

    def test_not_everything_heavy_is_meant(self) -> None:
        assert named("a heavy load") == []

    def test_the_whole_title_is_mentioned_however_it_is_written(self) -> None:
        assert named("the heavy (song) there") == [("heavy (song)", ("Heavy (song).md",))]

    def test_what_two_qualified_titles_are_called_is_both(self) -> None:
        assert named("on Mercury") == [("Mercury", ("Mercury (planet).md", "Mercury (god).md"))]

    def test_a_bare_name_in_small_letters_is_a_word(self) -> None:
        assert named("Graph or graph") == []


def test_a_word_for_any_page_of_its_kind_names_none_in_a_text() -> None:
    notes = [
        NamedNote("notes/index.md", "index"),
        NamedNote("site/README.md", "README", ("Old mill",)),
        NamedNote("self/identity.md", "Identity"),
        NamedNote("ops/daily plans.md", "daily plans"),
    ]
    text = "The index of the README tells its identity. See the Old mill and the daily plans."
    found = {mention.text for mention in Mentions.of(notes, names_in_texts).find("\n" + text, "x.md")}
    assert found == {"Old mill", "daily plans"}
    assert {"index", "README", "identity"} <= {one.text for one in Mentions.of(notes).find("\n" + text, "x.md")}

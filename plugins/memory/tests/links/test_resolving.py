"""What a link leads to."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ori_memory.links.resolving import NamedNote, Resolver, decide, keys_of, names_of
from ori_memory.links.scanning import find_links
from ori_memory.model import Link, Resolution
from ori_memory.notes.naming import stem_of

NOTES = [
    NamedNote("Car.md", "Car"),
    NamedNote("car.md", "car"),
    NamedNote("MyNote.md", "MyNote"),
    NamedNote("README.md", "README"),
    NamedNote("a/README.md", "README"),
    NamedNote("a/b/README.md", "README"),
    NamedNote("a/deep/one.md", "The One", ("uno", "Eins")),
    NamedNote("re\u0301sume\u0301.md", "x"),
    NamedNote("my-old-title.md", "t"),
    NamedNote("C# notes.md", "y"),
    NamedNote("v1.2.md", "z"),
    NamedNote("pic.png.md", "p"),
    NamedNote("b/two words.md", "two words"),
    NamedNote("pages/Board___Action Bar.md"),
    NamedNote("pages/Old%2FPage.md"),
]


def link(text: str) -> Link:
    (found,) = find_links(text)
    return found


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("[[Car]]", "", ["Car.md"]),
        ("[[car]]", "", ["car.md"]),
        ("[[CAR]]", "", ["Car.md", "car.md"]),
        ("[[mynote]]", "", ["MyNote.md"]),
        ("[[MYNOTE.MD]]", "", ["MyNote.md"]),
        ("[[README]]", "x.md", ["README.md", "a/README.md", "a/b/README.md"]),
        ("[[README]]", "a/b/x.md", ["a/b/README.md", "README.md", "a/README.md"]),
        ("[[a/README]]", "x.md", ["a/README.md"]),
        ("[[b/README]]", "x.md", ["a/b/README.md"]),
        ("[[/README]]", "a/x.md", ["README.md"]),
        ("[[./README]]", "a/x.md", ["a/README.md"]),
        ("[[../README]]", "a/b/x.md", ["a/README.md"]),
        ("[[../../README]]", "a/x.md", []),
        ("[t](README.md)", "a/x.md", ["a/README.md"]),
        ("[t](b/README.md)", "a/x.md", ["a/b/README.md"]),
        ("[t](two%20words.md)", "b/x.md", ["b/two words.md"]),
        ("[[deep/one]]", "", ["a/deep/one.md"]),
        ("[[the one]]", "", ["a/deep/one.md"]),
        ("[[Uno|x]]", "", ["a/deep/one.md"]),
        ("[[résumé#h]]", "", ["re\u0301sume\u0301.md"]),
        ("[[My old title]]", "", ["my-old-title.md"]),
        ("[[C# notes]]", "", ["C# notes.md"]),
        ("[[v1.2]]", "", ["v1.2.md"]),
        ("[[pic.png]]", "", ["pic.png.md"]),
        ("[[#h]]", "a/x.md", ["a/x.md"]),
        ("[[board/action bar]]", "", ["pages/Board___Action Bar.md"]),
        ("[[Old/Page]]", "", ["pages/Old%2FPage.md"]),
        ("[[nothing]]", "", []),
        ("[[eadme]]", "", []),
    ],
)
def test_a_link_leads_to_the_note_it_means(text: str, source: str, expected: list[str]) -> None:
    resolution = Resolver.of(NOTES).resolve(link(text), source)
    assert list(resolution.candidates) == expected
    assert resolution.path == (expected[0] if expected else None)
    assert resolution.is_ambiguous == (len(expected) > 1)


def test_a_picture_is_an_attachment_and_not_dangling() -> None:
    assert Resolver.of(NOTES).resolve(link("![[photo.PNG]]"), "") == Resolution(None, (), True)
    assert Resolver.of(NOTES).resolve(link("[[photo.v2]]"), "") == Resolution(None)


@pytest.mark.parametrize("text", ["![](x.jpg|400)", "![](x.jpg|400x300)", "![](../_files/16198649)", "![](:/066d1e23)"])
def test_a_picture_of_any_name_is_an_attachment(text: str) -> None:
    assert Resolver.of(NOTES).resolve(link(text), "n.md").is_attachment


def test_an_address_from_the_root_of_a_site_leads_into_its_folder() -> None:
    notes = [NamedNote("content/posts/tea.md", "Tea"), NamedNote("content/about.md", "About")]
    resolver = Resolver.of(notes)
    assert resolver.resolve(link("[a](/posts/tea/)"), "content/x.md").path == "content/posts/tea.md"
    assert resolver.resolve(link("[a](/posts/tea.md)"), "x.md").path == "content/posts/tea.md"
    assert resolver.resolve(link("[a](/about)"), "x.md").path == "content/about.md"
    assert resolver.resolve(link("[[/about]]"), "x.md").path is None
    assert resolver.resolve(link("[a](/pictures/tea)"), "x.md").path is None


def test_of_two_notes_with_one_alias_both_are_candidates() -> None:
    resolver = Resolver.of([NamedNote("x/b.md", "b", ("it",)), NamedNote("a.md", "a", ("It",))])
    assert resolver.resolve(link("[[it]]"), "").candidates == ("x/b.md",)
    assert resolver.resolve(link("[[IT]]"), "").candidates == ("a.md", "x/b.md")


NAMES = st.sampled_from(
    ["a", "A", "b c", "b-c", "B_C", "é", "e\u0301", "x/a", "x/y/a", "x/b c", "C#", "a.md", "../a", "./a", "/a"]
)
PATHS = st.sampled_from(
    ["a.md", "A.md", "b c.md", "b-c.md", "é.md", "x/a.md", "x/y/a.md", "y/B_C.md", "C#.md", "x/a.md.md", "z.md"]
)
NOTE = st.builds(
    NamedNote,
    PATHS,
    st.sampled_from(["", "a", "b c", "Z"]),
    st.lists(st.sampled_from(["q", "A", "é"]), max_size=1).map(tuple),
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(NOTE, max_size=8, unique_by=lambda note: note.path),
    NAMES,
    st.sampled_from(["s.md", "x/s.md", "x/y/s.md"]),
    st.booleans(),
)
def test_keys_find_every_note_that_can_answer(notes: list[NamedNote], name: str, source: str, is_wiki: bool) -> None:
    found = find_links(f"[[{name}]]" if is_wiki else f"[t](<{name.replace('#', '%23')}>)")
    resolver = Resolver.of(notes)
    for item in found:
        assert resolver.resolve(item, source) == decide(item, source, notes)
        keys = set(keys_of(item, source))
        for path in decide(item, source, notes).candidates:
            assert keys & names_of(resolver.notes[path])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.booleans(), NOTE), max_size=12), NAMES)
def test_notes_that_come_and_go_leave_the_same_as_a_new_start(steps: list[tuple[bool, NamedNote]], name: str) -> None:
    resolver = Resolver()
    there: dict[str, NamedNote] = {}
    for is_added, note in steps:
        if is_added:
            resolver.add(note)
            there[note.path] = note
        else:
            resolver.remove(note.path)
            there.pop(note.path, None)
    fresh = Resolver.of(there.values())
    for item in find_links(f"[[{name}]]"):
        assert resolver.resolve(item, "s.md") == fresh.resolve(item, "s.md")
    assert stem_of("x/a.md.md") == "a.md"


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("[a](../buffer/)", "input/x.md", ["buffer/README.md"]),
        ("[a](../buffer)", "input/x.md", ["buffer/README.md"]),
        ("[a](buffer/)", "x.md", ["buffer/README.md"]),
        ("[a](/docs/buffer/)", "x.md", []),
        ("[a](./site/)", "x.md", ["site/index.md"]),
        ("[[site]]", "x.md", ["site/index.md"]),
        ("[a](/tea/green/)", "x.md", ["content/tea/green/_index.md"]),
        ("[[Oolong]]", "x.md", ["teas/oolong/Oolong.md"]),
        ("[a](teas/oolong/)", "x.md", ["teas/oolong/Oolong.md"]),
        ("[[news]]", "x.md", ["news.md"]),
        ("[a](news/)", "x.md", ["news.md"]),
        ("[a](/news/index.md)", "x.md", ["news/index.md"]),
        ("[a](empty/)", "x.md", []),
    ],
)
def test_a_link_to_a_folder_leads_to_its_page(text: str, source: str, expected: list[str]) -> None:
    paths = [
        *("buffer/README.md", "buffer/file.md", "input/README.md", "site/index.md", "site/README.md", "news.md"),
        *("content/tea/green/_index.md", "teas/oolong/Oolong.md", "news/index.md", "empty/page.md"),
    ]
    resolver = Resolver.of(NamedNote(path, stem_of(path)) for path in paths)
    assert list(resolver.resolve(link(text), source).candidates) == expected
    known = {note.path for note in resolver.notes.values() if names_of(note) & set(keys_of(link(text), source))}
    assert known >= set(expected)

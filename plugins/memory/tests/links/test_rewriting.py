"""Links follow the notes that move."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ori_memory.links.resolving import NamedNote, Resolver
from ori_memory.links.rewriting import after_moves, rename_links
from ori_memory.links.scanning import find_links
from ori_memory.model import Link
from ori_memory.notes.naming import stem_of
from ori_memory.notes.titling import page_of

PATHS = ["a.md", "s.md", "x/b.md", "y/b.md", "sub/deep/c.md", "my note.md", "x/s2.md", "d#e.md"]


def renamed(text: str, moves: dict[str, str], source: str = "s.md", files: tuple[str, ...] = ()) -> str:
    before = Resolver.of(NamedNote(path, stem_of(path)) for path in PATHS)
    new, count = rename_links(text, source, moves, before, after_moves(before, moves), lambda path: path in files)
    assert (count > 0) == (new != text)
    return new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[[a]]", "[[n]]"),
        ("[[A]]", "[[n]]"),
        ("[[ a ]]", "[[ n ]]"),
        ("[[a#h]] [[a#^b]] [[a|x]] ![[a]]", "[[n#h]] [[n#^b]] [[n|x]] ![[n]]"),
        ("| [[a\\|x]] |", "| [[n\\|x]] |"),
        ("[[a.md]] [[./a]] [[/a]]", "[[n.md]] [[./z/n]] [[/z/n]]"),
        ("[t](a.md) [t](<a.md> 'ti') [t](a.md#h%20i)", "[t](z/n.md) [t](<z/n.md> 'ti') [t](z/n.md#h%20i)"),
        ("[r]: a.md 'x'", "[r]: z/n.md 'x'"),
        ("`[[a]]`\n\n```\n[[a]]\n```\r\n[[a]]", "`[[a]]`\n\n```\n[[a]]\n```\r\n[[n]]"),
        ("---\nup: '[[a]]'\n---\n[[b]]", "---\nup: '[[n]]'\n---\n[[b]]"),
        ("[[nothing]] [[b]] [[aa]] http://a.md", "[[nothing]] [[b]] [[aa]] http://a.md"),
    ],
)
def test_each_form_follows_and_keeps_its_form(old: str, new: str) -> None:
    assert renamed(old, {"a.md": "z/n.md"}) == new


@pytest.mark.parametrize(
    ("text", "moves", "expected"),
    [
        ("[[a]]", {"a.md": "z/c.md"}, "[[z/c]]"),
        ("[[a]]", {"a.md": "z/a.md"}, "[[a]]"),
        ("[[x/b]]", {"x/b.md": "x/n.md"}, "[[x/n]]"),
        ("[[a]]", {"a.md": "it's (1) % é.md"}, "[[it's (1) % é]]"),
        ("[t](a.md)", {"a.md": "it's (1) % é.md"}, "[t](it's%20%281%29%20%25%20é.md)"),
        ("[[my note]] [t](my%20note.md)", {"my note.md": "n.md"}, "[[n]] [t](n.md)"),
        ("[[a]] [[a#h|q]]", {"a.md": "n]|.md"}, "[n\\]|](n%5D%7C.md) [q](n%5D%7C.md#h)"),
        ("---\nl:\n  - '[[a]]'\n---\n", {"a.md": "it's.md"}, "---\nl:\n  - '[[it''s]]'\n---\n"),
        ("[[d#e]]", {"d#e.md": "f.md"}, "[[f]]"),
        ("[[c]]", {"a.md": "b.md", "sub/deep/c.md": "a.md"}, "[[a]]"),
    ],
)
def test_a_short_name_stays_short_while_it_is_unambiguous(text: str, moves: dict[str, str], expected: str) -> None:
    assert renamed(text, moves) == expected


def test_relative_links_are_right_again_when_their_note_moves() -> None:
    text = "[t](a.md) [[a]] ![p](p.png) ![[p.png]] [no](gone.md) [b](x/b.md)"
    moved = renamed(text, {"s.md": "x/y/s.md"}, files=("p.png",))
    assert moved == "[t](../../a.md) [[a]] ![p](../../p.png) ![[p.png]] [no](gone.md) [b](../b.md)"


def test_a_link_that_a_move_would_lead_elsewhere_stays_with_its_note() -> None:
    assert renamed("[[b]]", {"s.md": "y/s.md"}) == "[[x/b]]"


LINKS = [
    "[[a]]",
    "[[A|t]]",
    "[[b]]",
    "[[x/b#h]]",
    "![[c]]",
    "[t](a.md)",
    "[t](x/b.md#h)",
    "[t](<my note.md>)",
    "[[my note]]",
    "`[[a]]`",
]
LINKS += [
    "[[deep/c]]",
    "[[./a]]",
    "[[/a]]",
    "[t](../a.md)",
    "[t](./b.md)",
    "[[d#e]]",
    "| [[b\\|q]] |",
    "[[s2]]",
    "[[gone]]",
    "[[c.md]]",
]
TARGETS = [
    "a.md",
    "n.md",
    "x/n.md",
    "y/b.md",
    "x/b.md",
    "z/a b.md",
    "z/c.md",
    "A.md",
    "y/it's.md",
    "w/d#f.md",
    "q/q/q.md",
    "b.md",
]


def rewritten(text: str, source: str, moves: dict[str, str], before: Resolver) -> list[tuple[Link, Link]]:
    """The links of a text before and after, each of which leads where it led."""
    after = after_moves(before, moves)
    new, _ = rename_links(text, source, moves, before, after)
    pairs = list(zip(find_links(text), find_links(new), strict=True))
    for old, now in pairs:
        path = before.resolve(old, source).path
        if path is not None:
            assert after.resolve(now, moves.get(source, source)).path == moves.get(path, path), (old, now)
    return pairs


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from(LINKS), max_size=6),
    st.sampled_from(PATHS),
    st.dictionaries(st.sampled_from(PATHS), st.sampled_from(TARGETS), max_size=3),
)
def test_after_a_move_every_link_leads_where_it_led(links: list[str], source: str, moves: dict[str, str]) -> None:
    staying = set(PATHS) - set(moves)
    if len(set(moves.values())) < len(moves) or staying & set(moves.values()):
        return
    text = " and ".join(links)
    before = Resolver.of(NamedNote(path, stem_of(path)) for path in PATHS)
    for old, now in rewritten(text, source, moves, before):
        if old.heading and old.target != "d":
            assert now.heading == old.heading
        assert now.block == old.block


@pytest.mark.parametrize(
    ("text", "moves", "expected"),
    [
        ("[t](b/) [t](./b) [t](b/#h)", {"b/README.md": "c/README.md"}, "[t](c/) [t](./c) [t](c/#h)"),
        ("[t](b/)", {"b/README.md": "b/other.md"}, "[t](b/other.md)"),
        ("[t](b/)", {"s.md": "x/s.md"}, "[t](../b/)"),
        ("[t](x/b/)", {"s.md": "x/s.md"}, "[t](b/)"),
        ("[t](/b/)", {"s.md": "x/s.md"}, "[t](/b/)"),
    ],
)
def test_a_link_to_a_folder_follows_its_page(text: str, moves: dict[str, str], expected: str) -> None:
    paths = ("s.md", "b/README.md", "x/b/index.md", "x/o.md")
    before = Resolver.of(NamedNote(path, stem_of(path)) for path in paths)
    assert rename_links(text, "s.md", moves, before, after_moves(before, moves))[0] == expected


PAGES = ["pages/a___b.md", "pages/a___b___c.md", "pages/Ann.md", "journals/2024_05_03.md", "journals/2024_05_04.md"]
PAGES += ["p.q.md", "p.r.md", "x/Old%2FStyle.md", "s.md"]
PAGE_LINKS = ["[[a/b]]", "[[A/B|t]]", "[[a/b/c#h]]", "![[a/b]]", "[[pages/a___b]]", "[[a___b]]", "[[Ann]]", "[[^own]]"]
PAGE_LINKS += [
    "[[May 3rd, 2024]]",
    "[[2024-05-03]]",
    "[[Fri, 03.05.2024|d]]",
    "[[p.q]]",
    "[[lab el|p.q]]",
    "[[p.q|p.r]]",
]
PAGE_LINKS += ["[[Lab|p.q#^a1]]", "[[old/style]]", "[t](pages/a___b.md)", "| [[L\\|p.q]] |", "[[#h]]", "[[a|b|p.q]]"]
PAGE_TARGETS = ["pages/a___z.md", "pages/z.md", "q/2024_05_06.md", "journals/2024_05_05.md", "p.z.md", "w/p.z.md"]
PAGE_TARGETS += ["pages/n___m.md", "Ann.md", "x/y z.md", "pages/Old%2FNew.md", "w/a-b.md", "w/03.05.2024.md"]
DENDRON = "---\nid: x\ntitle: x\ndesc: ''\nupdated: 1\ncreated: 1\n---\n"


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(["", DENDRON]),
    st.lists(st.sampled_from(PAGE_LINKS), max_size=6),
    st.sampled_from(PAGES),
    st.dictionaries(st.sampled_from(PAGES), st.sampled_from(PAGE_TARGETS), max_size=3),
)
def test_links_to_pages_and_days_lead_where_they_led_in_whatever_order(
    head: str, links: list[str], source: str, moves: dict[str, str]
) -> None:
    if len(set(moves.values())) < len(moves) or (set(PAGES) - set(moves)) & set(moves.values()):
        return
    text = head + " and ".join(links)
    before = Resolver.of(NamedNote(path, page_of(stem_of(path))) for path in PAGES)
    for old, now in rewritten(text, source, moves, before):
        assert now.block == old.block

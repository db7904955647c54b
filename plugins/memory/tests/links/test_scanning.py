"""Which stretches of a text are links, and what they say."""

from __future__ import annotations

import pytest

from ori_memory.links.scanning import find_links
from ori_memory.model import Link, LinkKind


def said(text: str) -> list[tuple[str, str, str | None, str | None, str | None]]:
    return [(link.kind.value, link.target, link.heading, link.block, link.alias) for link in find_links(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[a]]", ("wiki", "a", None, None, None)),
        ("[[ a ]]", ("wiki", "a", None, None, None)),
        ("[[a#h]]", ("wiki", "a", "h", None, None)),
        ("[[a#h#h2]]", ("wiki", "a", "h#h2", None, None)),
        ("[[a#^b]]", ("wiki", "a", None, "b", None)),
        ("[[a|x]]", ("wiki", "a", None, None, "x")),
        ("[[a|]]", ("wiki", "a", None, None, None)),
        ("| [[a\\|x]] |", ("wiki", "a", None, None, "x")),
        ("| [[a#h\\|x]] |", ("wiki", "a", "h", None, "x")),
        ("[[a|x [y] z]]", ("wiki", "a", None, None, "x [y] z")),
        ("[[#h]]", ("wiki", "", "h", None, None)),
        ("[[C#]]", ("wiki", "C#", None, None, None)),
        ("![[a.png|300]]", ("embed", "a.png", None, None, "300")),
        ("[t](a.md)", ("markdown", "a.md", None, None, "t")),
        ("[t](<a b.md>)", ("markdown", "a b.md", None, None, "t")),
        ("[t](a%20b.md#h%20i)", ("markdown", "a b.md", "h i", None, "t")),
        ("[t](a.md#^b)", ("markdown", "a.md", None, "b", "t")),
        ('[t](a.md "title")', ("markdown", "a.md", None, None, "t")),
        ("[t](a_(b).md)", ("markdown", "a_(b).md", None, None, "t")),
        ("[t](a\\(b.md)", ("markdown", "a(b.md", None, None, "t")),
        ("[a [b] c](d.md)", ("markdown", "d.md", None, None, "a [b] c")),
        ("[t](../x/a.md)", ("markdown", "../x/a.md", None, None, "t")),
        ("[](a.md)", ("markdown", "a.md", None, None, None)),
        ("![t](a.png)", ("markdown_embed", "a.png", None, None, "t")),
        ("[t](#h)", ("markdown", "", "h", None, "t")),
        ("[t](100%.md)", ("markdown", "100%.md", None, None, "t")),
        ("[x]: a.md", ("markdown", "a.md", None, None, "x")),
        ('[x]: <a b.md> "t"', ("markdown", "a b.md", None, None, "x")),
        ("#[[two words]]", ("wiki", "two words", None, None, None)),
        ("[[会议 记录]]", ("wiki", "会议 记录", None, None, None)),
        ("> - [ ] [[a]]", ("wiki", "a", None, None, None)),
        ("## Monday\n\t- [[a]]", ("wiki", "a", None, None, None)),
        ("## Monday\n\t\t- deep\n\n\t\t- [[a]]", ("wiki", "a", None, None, None)),
        ("[label]([[a]])", ("wiki", "a", None, None, None)),
        ("[[a [[b]] c]]", ("wiki", "b", None, None, None)),
        ("- one\n    - [[a]]", ("wiki", "a", None, None, None)),
        ("word\n    [[a]]", ("wiki", "a", None, None, None)),
        ("`a` [[a]] ``b ` c``", ("wiki", "a", None, None, None)),
        ("an open ` [[a]]", ("wiki", "a", None, None, None)),
        ("costs $5, [[a]] costs $6", ("wiki", "a", None, None, None)),
        ("<!-- open [[a]]", ("wiki", "a", None, None, None)),
        ("```\ncode\n```\n[[a]]", ("wiki", "a", None, None, None)),
        ("- ```\n  code\n\n[[a]]", ("wiki", "a", None, None, None)),
        ("> ```\n> code\n\n[[a]]", ("wiki", "a", None, None, None)),
        ("<!--\n```\n-->\n[[a]]", ("wiki", "a", None, None, None)),
        ("``` not `a fence\n[[a]]", ("wiki", "a", None, None, None)),
        ("---\nup: '[[a]]'\n---\n", ("wiki", "a", None, None, None)),
        ('---\nup:\n  - "[[a|x]]"\n# [[no]]\n---\n', ("wiki", "a", None, None, "x")),
        ("---\nup: [[a]]\n---\n", ("wiki", "a", None, None, None)),
        ("---\nup: '[[it''s]]'\n---\n", ("wiki", "it's", None, None, None)),
    ],
)
def test_a_link_is_read(text: str, expected: tuple[str, str, str | None, str | None, str | None]) -> None:
    assert said(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "[[]]",
        "[[ ]]",
        "[[|x]]",
        "[x]",
        "[x][y]",
        "[^1] and\n\n[^1]: note",
        "[t]()",
        "[t](http://a.md)",
        "[t](mailto:a@b.c)",
        "[t](//host/a.md)",
        "[t](obsidian://open?file=a)",
        "[[https://a.org]]",
        '[["a","b"]]',
        "[[ -f x ]]",
        "[[a\nb]]",
        "\\[[a]]",
        "\\[t](a.md)",
        "[//]: # (comment)",
        "`[[a]]`",
        "``[[a]] ` [[b]]``",
        "`[t](a.md)`",
        "`one\n[[a]] two`",
        "```\n[[a]]\n```",
        "```toml\n[[a.b]]\n",
        "~~~~\n~~~\n[[a]]\n~~~~",
        "````\n```\n[[a]]\n````",
        "- item\n  ```\n  [[a]]\n  ```",
        "1. item\n\n   ~~~\n   [[a]]\n   ~~~",
        "> ```\n> [[a]]\n> ```",
        "> - ```\n>   [[a]]",
        "-\t```\n\t[[a]]\n\t```",
        "    [[a]]",
        "\t[[a]]",
        "# Heading\n    [[a]]",
        "    code:\n    - [[a]]",
        "- item\n\n      [[a]]",
        "$[[a]]$",
        "$$\n[[a]]\n$$",
        "<!-- [[a]] -->",
        "<!--\n\n[[a]]\n\n-->",
        "%% [[a]] %%",
        "%%\n[[a]]\n\n%%",
        "<% tp.file.find('[[a]]') %>",
        "<pre>\n[[a]]\n</pre>",
        "```\r\n[[a]]\r\n```",
        '---\ncode: [["a", "b"]]\n---\n',
    ],
)
def test_this_is_no_link(text: str) -> None:
    assert said(text) == []


def test_a_link_within_an_image_within_a_link_is_found_once_each() -> None:
    assert said("[![t](a.png)](b.md) [x [y](c.md) z](d.md)") == [
        ("markdown", "b.md", None, None, "![t](a.png)"),
        ("markdown_embed", "a.png", None, None, "t"),
        ("markdown", "c.md", None, None, "y"),
    ]


def test_places_are_characters_of_the_whole_text() -> None:
    text = "\ufeff---\r\nup: '[[a]]'\r\n---\r\n\r\n😀 [[b|x]] ![t](c.md)\r\n"
    links = find_links(text)
    assert [text[link.start : link.end] for link in links] == ["[[a]]", "[[b|x]]", "![t](c.md)"]
    assert [(link.line, link.is_property) for link in links] == [(2, True), (5, False), (5, False)]
    assert links[0] == Link(LinkKind.WIKI, "a", None, None, None, links[0].start, links[0].end, 2, True)


@pytest.mark.parametrize(
    ("text", "target", "heading"),
    [
        ('[a]({{< relref "tea.md" >}})', "tea.md", None),
        ('[a]({{<relref "green tea.md#" >}})', "green tea.md", None),
        ('[a]({{< ref "/posts/tea#Heat" >}})', "/posts/tea", "Heat"),
        ('[a]({{% relref path="tea" lang="de" %}})', "tea", None),
        ("[a]({{< ref tea.md >}})", "tea.md", None),
        ("[a]({% link _posts/2021-03-05-tea.md %})", "_posts/2021-03-05-tea.md", None),
        ("[a]({{ site.baseurl }}{% post_url 2021-03-05-tea %})", "2021-03-05-tea", None),
    ],
)
def test_links_in_the_code_of_site_makers_are_links(text: str, target: str, heading: str | None) -> None:
    assert said(f"x {text} y") == [("markdown", target, heading, None, "a")]


@pytest.mark.parametrize(
    "text", ['[a]({{< youtube "x" >}})', "[a]({% include tea %})", "[a]({{ site.url }}/x)", '{{< ref "tea" >}}']
)
def test_other_code_of_site_makers_is_no_link(text: str) -> None:
    assert said(text) == []


def test_a_reference_to_a_block_is_a_link_by_its_id() -> None:
    block = "((6371a0ef-d363-4689-8755-ec3463edf9ea))"
    wiki = ("wiki", block, None, None, None)
    assert said(f"[[Tea]]{block}") == [("wiki", "Tea", None, None, None), wiki]
    assert said(f"[label]({block}) and {block}") == [wiki, wiki]
    assert said(f"{{{{embed {block}}}}}") == [("embed", block, None, None, None)]
    assert said(f"`{block}` ((of tea)) ((6371a0ef))") == []


def test_the_number_of_a_citation_is_no_note() -> None:
    assert said("[[1]](https://example.org/x) but [[2]] (see there), [[3]](tea.md)") == [
        ("wiki", "2", None, None, None),
        ("markdown", "tea.md", None, None, "[3]"),
        ("wiki", "3", None, None, None),
    ]


def test_an_id_of_joplin_is_the_name_of_its_file() -> None:
    assert said("[tea](:/066d1e23ea0a45738633ae20ae3f38ee)") == [
        ("markdown", "066d1e23ea0a45738633ae20ae3f38ee", None, None, "tea")
    ]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("[a](search.md?q=tea#top)", [("search.md", "top")]),
        ("[a](docs/?q=tea)", [("docs/", None)]),
        ("[a](?q=tea)", []),
        ("[a](What%20now?.md)", [("What now?.md", None)]),
        ("[a]((https://example.org/x))", []),
    ],
)
def test_what_an_address_asks_for_is_no_part_of_the_target(text: str, targets: list[tuple[str, str | None]]) -> None:
    assert [(link.target, link.heading) for link in find_links(text)] == targets


def test_what_an_exported_page_says_of_others_are_links() -> None:
    text = (
        "# Tea\n\nrelated: Green tea (Green%20tea%2049e0dbff6672498c8c602b2f51ab5d85.md), "
        "Milk (warm) (../Cows/Milk%20(warm)%20a520c6d79db74a9d9e4f11eb6aa5dc24.md)\n"
        "see [Cup](Cup%20b819142991684ed09716a636682f1fb0.md) and `x (Y%20b819142991684ed09716a636682f1fb0.md)` "
        "and a file (notes.md)\n"
    )
    assert [link.target for link in find_links(text)] == [
        "Green tea 49e0dbff6672498c8c602b2f51ab5d85.md",
        "../Cows/Milk (warm) a520c6d79db74a9d9e4f11eb6aa5dc24.md",
        "Cup b819142991684ed09716a636682f1fb0.md",
    ]

"""The graph page: its text, and how it behaves in a browser."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections import Counter
from typing import Any

import pytest

from ori_memory.graph.communities import communities_of
from ori_memory.graph.edges import Edge
from ori_memory.graph.graph import NoteGraph
from ori_memory.graph.page import graph_page
from ori_memory.model import NoteRecord

HOSTILE = [
    "</script><script>document.title='broken'</script>",
    "<!--<script>",
    "\"quotes' & <b>bold</b>",
    "שלום עולם",
    "مرحبا 👩‍👩‍👧‍👦",
    "@@DATA@@ @@SCRIPT@@",
    "line\u2028separator \u202eturned",
    "half \ud800 a pair",
    "",
    "very long " * 60,
    "Ünïcödé",
]


def notes_of(titles: list[str]) -> list[NoteRecord]:
    return [NoteRecord(id=str(n), path=f"folder/n{n}.md", title=title, type="idea") for n, title in enumerate(titles)]


def page_of(titles: list[str], links: list[tuple[int, int]], warmth: dict[str, float] | None = None) -> str:
    notes = notes_of(titles)
    edges = [Edge(f"folder/n{one}.md", f"folder/n{other}.md", "wiki") for one, other in links]
    return graph_page(notes, edges, communities_of(NoteGraph.build(notes, edges)), warmth or {}, title="<my> vault")


def ring(count: int) -> str:
    links = [(n, (n + 1) % count) for n in range(count)] + [(n, n // 7 * 7) for n in range(count)]
    return page_of([f"Note {n}" for n in range(count)], links, {f"folder/n{n}.md": n / count for n in range(count)})


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return dict(json.loads(found[1]))


def colours_of(png: bytes) -> Counter[bytes]:
    """How often each colour occurs; 8-bit RGB or RGBA, as Chromium writes it."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert (depth, kind) in ((8, 2), (8, 6))
    at, packed = 8, b""
    while at < len(png):
        length = struct.unpack(">I", png[at : at + 4])[0]
        packed += png[at + 8 : at + 8 + length] if png[at + 4 : at + 8] == b"IDAT" else b""
        at += 12 + length
    size, raw = (3 if kind == 2 else 4), zlib.decompress(packed)
    stride, last, found = width * size, bytearray(width * size), Counter[bytes]()
    for row in range(height):
        start = row * (stride + 1)
        line = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + stride]), last, size)
        found.update(bytes(line[x : x + 3]) for x in range(0, stride, size))
        last = line
    return found


def _unfiltered(kind: int, line: bytearray, last: bytearray, size: int) -> bytearray:
    for x in range(len(line)):
        left, up = (line[x - size] if x >= size else 0), last[x]
        corner = last[x - size] if x >= size else 0
        if kind == 1:
            line[x] = (line[x] + left) & 255
        elif kind == 2:
            line[x] = (line[x] + up) & 255
        elif kind == 3:
            line[x] = (line[x] + (left + up) // 2) & 255
        elif kind == 4:
            guess = left + up - corner
            nearest = min((abs(guess - value), order, value) for order, value in enumerate((left, up, corner)))
            line[x] = (line[x] + nearest[2]) & 255
    return line


def test_the_same_vault_gives_the_same_page() -> None:
    assert ring(40) == ring(40)


def test_hostile_titles_stay_data() -> None:
    page = page_of(HOSTILE, [(n, n + 1) for n in range(len(HOSTILE) - 1)])
    assert page.isascii()
    assert page.count("</script>") == 2
    assert "<title>&lt;my&gt; vault</title>" in page
    assert sorted(data_of(page)["titles"]) == sorted(HOSTILE)


def test_nothing_is_fetched_from_elsewhere() -> None:
    page = ring(10)
    assert not re.search(r"""(?:src|href)\s*=|@import|url\(|https?://|fetch\(|XMLHttpRequest""", page)
    assert "default-src 'none'" in page


def test_the_page_holds_links_by_direction_suggestions_apart_and_warmth() -> None:
    notes = notes_of(["a", "b", "c"])
    paths = [note.path for note in notes]
    edges = [Edge(paths[0], paths[1], "wiki"), Edge(paths[1], paths[2], "suggested"), Edge(paths[1], paths[1], "wiki")]
    graph = NoteGraph.build(notes, edges)
    warmth = {paths[0]: 0.5, paths[1]: float("nan")}
    data = data_of(graph_page(notes, edges, communities_of(graph), warmth))
    assert (data["ties"], data["hints"], data["figures"]) == ([0, 1], [1, 2], [0.5, -1, -1])
    assert len(data["places"]) == 6


@pytest.mark.parametrize("count", [0, 1, 2])
def test_tiny_vaults_have_a_page(open_page: Any, count: int) -> None:
    page = open_page(page_of([f"Note {n}" for n in range(count)], [(0, 1)] if count > 1 else []))
    assert page.ask("document.getElementById('counts').textContent").startswith(f"{count} note")
    assert page.ask("!document.getElementById('message').hidden") == (count == 0)
    assert page.complaints() == []


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_picture_shows_notes_in_many_colours(open_page: Any, scheme: str) -> None:
    page = open_page(ring(120), scheme=scheme)
    colours = colours_of(page.picture())
    ground = {"dark": b"\x11\x13\x1a", "light": b"\xfa\xfa\xf7"}[scheme]
    assert colours.most_common(1)[0][0] == ground
    assert len(colours) > 200
    assert page.complaints() == []


@pytest.mark.parametrize(("name", "least"), [("flancian-garden", 7_000), ("logseq-docs", 300)])
def test_real_vaults_are_drawn_labelled_and_searched(open_page: Any, read_vault: Any, name: str, least: int) -> None:
    notes, edges = read_vault(name)
    communities = communities_of(NoteGraph.build(notes, edges))
    page = open_page(graph_page(notes, edges, communities, {}), width=800, height=600)
    assert len(notes) > least
    assert page.ask("document.getElementById('counts').textContent").startswith(f"{len(notes):,} notes, ")
    assert page.ask("document.querySelectorAll('#keys button').length") == min(12, len(communities.groups)) + (
        len(communities.groups) > 12
    ) + (len(communities.of) < len(notes))
    ground, shown = b"\x11\x13\x1a", colours_of(page.picture())
    drawn = sum(shown.values()) - shown[ground]
    assert len(shown) > 1_000
    assert 0.02 < drawn / sum(shown.values()) < 0.9
    page.key("/", "/")
    page.type(notes[-1].title)
    assert int(page.ask("document.documentElement.dataset.found")) >= 1
    page.settle()
    assert page.complaints() == []


def test_hostile_titles_are_drawn_listed_and_run_nothing(open_page: Any) -> None:
    page = open_page(page_of(HOSTILE, [(n, n + 1) for n in range(len(HOSTILE) - 1)]))
    for number in range(len(HOSTILE)):
        page.ask(f"location.hash = '#node=folder/n{number}.md'")
        page.wait(f"document.documentElement.dataset.selected === 'folder/n{number}.md'")
    assert page.ask("document.title") == "<my> vault"
    assert page.ask("document.querySelectorAll('#panel b, #panel script').length") == 0
    assert page.complaints() == []


def test_searching_lists_points_out_and_opens_a_note(open_page: Any) -> None:
    page = open_page(page_of(["Alpha", "Beta", "alphabet", "Ünïcödé alpha"], [(0, 1), (1, 2), (3, 0)]))
    before = page.picture()
    page.key("/", "/")
    assert page.ask("document.activeElement.id") == "query"
    page.type("ALPHA")
    listed = "[...document.querySelectorAll('#results li')].map((item) => item.textContent)"
    assert page.ask(listed) == ["Alpha", "alphabet", "Ünïcödé alpha"]
    page.settle()
    assert page.picture() != before
    page.key("ArrowDown")
    page.key("ArrowDown")
    page.key("Enter")
    assert page.ask("document.querySelector('#panel h1').textContent") == "alphabet"
    page.key("Escape")
    page.key("Escape")
    assert page.ask("document.getElementById('panel').hidden")
    page.key("/", "/")
    page.type("unicode")
    assert page.ask(listed) == ["Ünïcödé alpha"]
    page.type(" nowhere")
    assert page.ask(listed) == ["Nothing has this title."]
    assert page.complaints() == []


def test_an_address_opens_a_search_or_a_note(open_page: Any) -> None:
    text = page_of(["Alpha", "Beta"], [(0, 1)])
    assert open_page(text, "#search=beta").ask("document.documentElement.dataset.found") == "1"
    note = open_page(text, "#node=folder%2Fn1.md")
    assert note.ask("document.querySelector('#panel h1').textContent") == "Beta"
    assert open_page(text, "#node=%E0%A4%A&search=%").complaints() == []


def test_a_click_opens_the_panel_whose_links_lead_on(open_page: Any) -> None:
    page = open_page(page_of(["Alpha", "Beta"], [(0, 1)]), "#node=folder/n0.md")
    page.click(600, 700)
    assert page.ask("document.getElementById('panel').hidden")
    page.ask("location.hash = '#node=folder/n0.md'")
    page.wait("document.documentElement.dataset.selected === 'folder/n0.md'")
    page.settle()
    page.key("Escape")
    page.mouse("mouseMoved", 600, 400)
    assert page.ask("document.querySelector('#tip b').textContent") == "Alpha"
    page.click(600, 400)
    assert page.ask("document.querySelector('#panel h1').textContent") == "Alpha"
    page.ask("document.querySelector('#panel li button').click()")
    assert page.ask("document.querySelector('#panel h1').textContent") == "Beta"
    assert page.ask("document.querySelector('#panel .path').textContent") == "folder/n1.md"
    assert page.complaints() == []


def test_wheel_drag_and_keys_move_the_picture(open_page: Any) -> None:
    page = open_page(ring(80))
    pictures: list[bytes] = []

    def look() -> None:
        page.settle()
        pictures.append(page.picture())

    page.click(5, 400)
    page.key("0", "0")
    look()
    page.mouse("mouseWheel", 600, 400, deltaX=0, deltaY=-400)
    look()
    page.mouse("mousePressed", 600, 400, button="left", clickCount=1)
    page.mouse("mouseMoved", 500, 300, button="left", buttons=1)
    page.mouse("mouseReleased", 500, 300, button="left", clickCount=1)
    page.mouse("mouseMoved", 5, 400)
    look()
    page.key("ArrowLeft")
    look()
    page.key("+", "+")
    look()
    assert len(set(pictures)) == 5
    page.key("0", "0")
    look()
    assert pictures[-1] == pictures[0]


def test_colours_switch_to_warmth_and_the_legend_points_out(open_page: Any) -> None:
    page = open_page(ring(60))
    by_community = page.picture()
    page.ask("document.getElementById('by-figure').click()")
    page.settle()
    assert page.picture() != by_community
    names = "[...document.querySelectorAll('#keys .name')].map((name) => name.textContent)"
    assert page.ask(names) == ["active", "stale", "fading", "cold"]
    page.ask("document.querySelector('#keys button').click()")
    assert page.ask("document.querySelector('#keys button').ariaPressed") == "true"
    assert page.complaints() == []


def test_a_narrow_window_keeps_everything_inside(open_page: Any) -> None:
    page = open_page(ring(60), "#node=folder/n7.md", width=400, height=700)
    inside = "[...document.querySelectorAll('header, #legend, #panel, #zoom')].every((part) => {"
    inside += (
        "const box = part.getBoundingClientRect(); return box.left >= 0 && box.right <= 400 && box.bottom <= 700; })"
    )
    assert page.ask(inside)
    assert page.ask("document.documentElement.scrollWidth") == 400


def test_without_webgl_the_plain_canvas_draws(open_page: Any) -> None:
    text = ring(60)
    broken = "HTMLCanvasElement.prototype.getContext = ((old) => function (kind, ...rest) {"
    broken += (
        "return kind === 'webgl2' ? null : old.call(this, kind, ...rest); })(HTMLCanvasElement.prototype.getContext);"
    )
    page = open_page(re.sub(r"<meta http-equiv[^>]*>", f"<script>{broken}</script>", text))
    assert len(colours_of(page.picture())) > 200
    assert page.complaints() == []

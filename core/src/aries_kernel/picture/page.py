"""The text of the page."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
from collections.abc import Sequence
from importlib import resources

from attrs import asdict, field, frozen

__all__ = ["Picture", "Words", "graph_page"]

_SCRIPTS = ("colours.js", "scene.js", "drawing.js", "labels.js", "panel.js", "searching.js", "main.js")


@frozen
class Words:
    """How the page speaks of what it shows."""

    one: str
    many: str
    tie: str
    ties: str
    search: str
    """What can be searched: `Search titles`."""
    nothing: str
    """What a search says that found nothing."""
    empty: str
    """What a page without nodes says."""
    out: str
    """Heading of what a node leads to."""
    into: str
    """Heading of what leads to it."""
    near: str
    """Heading of `Picture.hints`."""
    none: str
    """Of a node without ties."""
    alone: str
    """Of all nodes without ties."""
    figure: str
    """What the second way to colour is called."""
    low: str
    high: str
    zones: Sequence[tuple[float, str]]
    """Parts of the scale of figures: from which value on, and a name; the highest first, the last from 0."""


@frozen
class Picture:
    """Nodes by number, and where they are."""

    titles: Sequence[str]
    paths: Sequence[str]
    """What tells nodes apart; part of the page's address."""
    kinds: Sequence[str]
    groups: Sequence[int]
    """The number of the community, -1 for none."""
    figures: Sequence[float | None]
    """From 0 to 1; None where there is none."""
    places: Sequence[tuple[float, float]]
    sizes: Sequence[float]
    """Radii."""
    ties: Sequence[tuple[int, int]]
    """From the first to the second."""
    communities: Sequence[tuple[str, int]]
    """Names and sizes, the largest first."""
    hints: Sequence[tuple[int, int]] = field(default=())
    """Pairs that might be tied, and are not."""


def graph_page(picture: Picture, words: Words, title: str) -> str:
    """The page's text; ASCII, so it may be stored in any encoding."""
    data = json.dumps(_data(picture, words), separators=(",", ":"), allow_nan=False)
    # In a script element nothing but an end tag or a comment's start can end the text; both need this sign.
    data = data.replace("<", "\\u003c")
    script = '"use strict";\n(() => {\n' + "\n".join(map(_asset, _SCRIPTS)) + "\n})();\n"
    style = _asset("page.css")
    parts = {
        "POLICY": f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'",
        "TITLE": _escaped(title),
        "STYLE": style,
        "DATA": data,
        "SCRIPT": script,
        "ONE": _escaped(words.one.capitalize()),
        "MANY": _escaped(words.many),
        "SEARCH": _escaped(words.search),
        "FIGURE": _escaped(words.figure),
    }
    page = _asset("page.html")
    # One pass over the template: what a title says is never taken for a place to fill.
    pieces = page.split("@@")
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def _data(picture: Picture, words: Words) -> dict[str, object]:
    said = {name: text for name, text in asdict(words).items() if name not in ("into", "zones")}
    return {
        "titles": list(picture.titles),
        "paths": list(picture.paths),
        "kinds": list(picture.kinds),
        "groups": list(picture.groups),
        "figures": [_share(value) for value in picture.figures],
        "places": [round(value) for place in picture.places for value in place],
        "sizes": [round(size, 1) for size in picture.sizes],
        "ties": [number for pair in picture.ties for number in pair],
        "hints": [number for pair in picture.hints for number in pair],
        "communities": [{"name": name, "size": size} for name, size in picture.communities],
        "words": {**said, "in": words.into},
        "zones": [list(zone) for zone in words.zones],
    }


def _share(value: float | None) -> float:
    if value is None or not math.isfinite(value):
        return -1
    return round(min(1.0, max(0.0, value)), 3)


def _escaped(text: str) -> str:
    return html.escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _asset(name: str) -> str:
    return (resources.files("aries_kernel.picture") / "page_files" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")

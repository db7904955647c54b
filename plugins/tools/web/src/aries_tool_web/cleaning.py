"""The part of a page that people read: without programs, hidden parts, menus and what surrounds the text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit, urlunsplit

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

__all__ = ["cleaned"]

_NEVER_READ = (
    "script", "style", "template", "svg", "math-renderer", "iframe", "object", "embed", "canvas", "audio", "video",
    "button", "input", "select", "textarea", "dialog", "link", "meta", "noscript", "map", "source", "track", "title",
)  # fmt: skip
_AROUND = ("nav", "footer", "aside")
_AROUND_ROLES = {"navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar", "toolbar"}
_LINE_NUMBERS = ("linenos", "lineno", "linenodiv", "line-numbers", "line-numbers-rows", "gutter", "blob-num")
_OF_A_TABLE = ("thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup", "col")
_NOT_IN_A_CELL = ("table", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "form", "hr")
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|em|%|;|\s*$)", re.IGNORECASE)
_MARK_OF_ANCHOR = set("¶§#🔗")
_ENOUGH = 0.25
"""Share of the text of a page that a part must hold to be the page."""


def cleaned(page: BeautifulSoup, url: str) -> Tag:
    """The readable part of `page`, which is changed; links are absolute afterwards."""
    from bs4 import Comment

    base = _base(page, url)
    for comment in page.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    _remove(page.find_all(_NEVER_READ))
    _remove(tag for tag in page.find_all(True) if _is_hidden(tag))
    part = _main(page)
    if part.name not in ("main", "article") and str(part.get("role")) != "main":
        _remove(tag for tag in part.find_all(True) if tag.name in _AROUND or str(tag.get("role")) in _AROUND_ROLES)
    else:
        _remove(part.find_all("nav"))
    for link in part.find_all("a"):
        _mend_link(link, base, url)
    for image in part.find_all("img"):
        _mend_image(image, base)
    _remove(part.find_all(("td", "span", "div"), class_=_LINE_NUMBERS))
    for tag in part.find_all("tt"):
        tag.name = "code"
    for table in part.find_all("table"):
        _mend_table(table)
    for words in part.find_all(string=re.compile(r"\|")):
        if words.find_parent(("td", "th")) is not None:
            words.replace_with(words.replace("|", "\\|"))
    return part


def _remove(tags: Iterable[Tag]) -> None:
    # One that goes takes what is in it along; asking again is how bs4 tells.
    for tag in list(tags):
        if not tag.decomposed:
            tag.decompose()


def _is_hidden(tag: Tag) -> bool:
    if tag.attrs and ("hidden" in tag.attrs or str(tag.get("aria-hidden")).lower() == "true"):
        return tag.name not in ("html", "body", "main") and tag.get("hidden") != "until-found"
    style = tag.attrs.get("style") if tag.attrs else None
    return isinstance(style, str) and bool(_UNSEEN.search(style)) and tag.name not in ("html", "body")


def _main(page: BeautifulSoup) -> Tag:
    """The smallest part that is marked as the text and holds enough of it; else the body, else everything."""
    whole: Tag = page.body or page
    length = len(whole.get_text())
    found = whole
    marked = [*page.find_all(["main", "article"]), *page.find_all(role="main")]
    for tag in marked:
        size = len(tag.get_text())
        if size >= _ENOUGH * length and size <= len(found.get_text()) and _is_alone(tag, marked):
            found = tag
    return found


def _is_alone(tag: Tag, marked: list[Tag]) -> bool:
    """Whether this is the text rather than one of several: a list of articles is read as a whole."""
    same = [one for one in marked if one.name == tag.name and one is not tag]
    return tag.name != "article" or all(one in tag.parents or tag in one.parents for one in same)


def _base(page: BeautifulSoup, url: str) -> str:
    tag = page.find("base", href=True)
    return _absolute(url, str(tag["href"])) or url if tag is not None else url


def _absolute(base: str, href: str) -> str | None:
    """The address, without user and password; None for what is no address of a page."""
    try:
        parts = urlsplit(urljoin(base, href.strip()))
        if parts.scheme not in ("http", "https", "mailto", "ftp"):
            return None
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])).replace(" ", "%20")
    except ValueError:
        return None


def _mend_link(link: Tag, base: str, url: str) -> None:
    href = link.get("href")
    text = link.get_text().strip()
    if not isinstance(href, str) or href.startswith("#"):
        # A place on the same page: only its words matter, and the sign beside a heading has none.
        if len(text) <= 2 and set(text) <= _MARK_OF_ANCHOR and link.find("img") is None:
            link.decompose()
        else:
            link.unwrap()
        return
    absolute = _absolute(base, href)
    if absolute is None or (not text and link.find("img") is None):
        link.unwrap()
    elif set(text) <= _MARK_OF_ANCHOR and absolute.partition("#")[0] == url and text:
        link.decompose()
    else:
        link["href"] = absolute
        link.attrs.pop("title", None)


def _mend_table(table: Tag) -> None:
    """A table that only arranges a page, or whose cells hold what no line can, becomes the parts that it holds."""
    is_layout = str(table.get("role")) in ("presentation", "none")
    rows = table.find_all("tr")
    has_columns = any(len(row.find_all(("td", "th"), recursive=False)) > 1 for row in rows)
    if has_columns and not is_layout and table.find(_NOT_IN_A_CELL) is None:
        return
    for tag in table.find_all(_OF_A_TABLE):
        if tag.find_parent("table") is table:
            tag.name, tag.attrs = "div", {}
    table.name, table.attrs = "div", {}


def _mend_image(image: Tag, base: str) -> None:
    alternative = " ".join(str(image.get("alt") or "").split())
    source = _absolute(base, str(image.get("src") or image.get("data-src") or ""))
    if not alternative or source is None or source == base:
        image.replace_with(alternative)
        return
    image.attrs = {"src": source, "alt": alternative}

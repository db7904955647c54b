"""The services that searches can be sent to: what each is asked, and what it answers."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from attrs import field, frozen

__all__ = ["SERVICES", "Found", "Query", "Request", "Service", "results_in"]

_TAG = re.compile(r"<[^<>]{1,200}>")
_LONGEST_TEXT = 600


@frozen
class Query:
    """What is looked for."""

    words: str
    limit: int
    site: str | None = None

    @property
    def with_site(self) -> str:
        """The words with the site in them, as most services understand it."""
        return f"{self.words} site:{self.site}" if self.site else self.words


@frozen
class Request:
    """What is sent: `path` goes behind the service's address; a body makes it a POST."""

    path: str
    headers: Mapping[str, str] = field(factory=dict)
    body: Mapping[str, object] | None = None

    @property
    def data(self) -> bytes | None:
        """The body as it is sent."""
        return None if self.body is None else json.dumps(self.body).encode()


@frozen
class Found:
    """One result."""

    title: str
    url: str
    snippet: str


@frozen
class Service:
    """One service. `results` leads to the list in its answer, `keys` are title, address and text of an entry."""

    name: str
    base_url: str
    """Empty: everybody has their own."""
    key_env: str
    """The variable that its documentation names for the key; empty: it has none."""
    request: Callable[[Query, str], Request]
    results: tuple[str, ...]
    keys: tuple[str, str, str]
    most: int
    hint: str = ""
    """What to look at when it refuses."""


def _brave(query: Query, key: str) -> Request:
    asked = urlencode({"q": query.with_site[:400], "count": query.limit})
    return Request(f"/res/v1/web/search?{asked}", {"X-Subscription-Token": key})


def _searxng(query: Query, key: str) -> Request:
    asked = urlencode({"q": query.with_site, "format": "json"})
    return Request(f"/search?{asked}", {"Authorization": f"Bearer {key}"} if key else {})


def _serper(query: Query, key: str) -> Request:
    return Request("/search", {"X-API-KEY": key}, {"q": query.with_site, "num": query.limit})


def _tavily(query: Query, key: str) -> Request:
    domains = {"include_domains": [query.site]} if query.site else {}
    body = {"query": query.words, "max_results": query.limit, **domains}
    return Request("/search", {"Authorization": f"Bearer {key}"}, body)


SERVICES: Mapping[str, Service] = {
    one.name: one
    for one in (
        Service(
            "brave",
            "https://api.search.brave.com",
            "BRAVE_API_KEY",
            _brave,
            ("web", "results"),
            ("title", "url", "description"),
            20,
        ),
        Service(
            "searxng",
            "",
            "",
            _searxng,
            ("results",),
            ("title", "url", "content"),
            20,
            "Its settings.yml must list json under search.formats.",
        ),
        Service(
            "serper",
            "https://google.serper.dev",
            "SERPER_API_KEY",
            _serper,
            ("organic",),
            ("title", "link", "snippet"),
            20,
        ),
        Service(
            "tavily",
            "https://api.tavily.com",
            "TAVILY_API_KEY",
            _tavily,
            ("results",),
            ("title", "url", "content"),
            20,
        ),
    )
}
"""By the name that the settings use."""


def results_in(service: Service, answer: Any, limit: int) -> list[Found] | None:
    """The results that an answer holds, each address once; None where it is not an answer of this service.

    An answer without the list has none: services leave out what is empty.
    """
    if not isinstance(answer, Mapping):
        return None
    rows: Any = answer
    for name in service.results:
        rows = rows.get(name) if isinstance(rows, Mapping) else None
    if rows is None:
        return None if answer.get("error") or answer.get("detail") else []
    if not isinstance(rows, list):
        return None
    found: dict[str, Found] = {}
    title, url, snippet = service.keys
    for row in rows:
        address = row.get(url) if isinstance(row, Mapping) else None
        if isinstance(address, str) and address.startswith(("http://", "https://")):
            one = Found(_plain(row.get(title)) or address[:_LONGEST_TEXT], address, _plain(row.get(snippet)))
            found.setdefault(address, one)
    return list(found.values())[:limit]


def _plain(text: object) -> str:
    """One line without markup."""
    if not isinstance(text, str):
        return ""
    bare = " ".join(html.unescape(_TAG.sub("", text)).split())
    return bare if len(bare) <= _LONGEST_TEXT else f"{bare[: _LONGEST_TEXT - 1]}…"

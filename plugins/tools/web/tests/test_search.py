"""WebSearch against scripted services."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from web_site import Site, page, run, sends_to

from aries_kernel.broker.effects import ReachNetwork
from aries_kernel.contracts.tool import ToolContext
from aries_kernel.errors import NotSetUp, ToolFailed
from aries_kernel.settings.schema import Search, Web
from aries_kernel.tools.schema import parse_arguments
from aries_tool_web.search import WebSearch
from aries_tool_web.services import SERVICES, results_in

JSON = {"content-type": "application/json"}
KEY = "key-0123456789"
WANTED = {
    "title": "The <b>guide</b> &amp; more",
    "url": "https://docs.example/a",
    "text": "Words\n about <strong>it</strong>.",
}
PLACES: Mapping[str, tuple[str, Any]] = {
    "brave": (
        "/res/v1/web/search",
        lambda row: {"web": {"results": [{"title": row["title"], "url": row["url"], "description": row["text"]}]}},
    ),
    "searxng": (
        "/search",
        lambda row: {"query": "q", "results": [{"title": row["title"], "url": row["url"], "content": row["text"]}]},
    ),
    "serper": (
        "/search",
        lambda row: {"organic": [{"title": row["title"], "link": row["url"], "snippet": row["text"]}]},
    ),
    "tavily": (
        "/search",
        lambda row: {"answer": None, "results": [{"title": row["title"], "url": row["url"], "content": row["text"]}]},
    ),
}


def search(context: ToolContext, *, environ: Mapping[str, str] | None = None, **settings: str) -> WebSearch:
    secret = (environ or {}).get
    return WebSearch(attrs.evolve(context, web=Web(search=Search(**settings)), secret=secret))


def _tool(context: ToolContext, site: Site, name: str) -> WebSearch:
    variable = SERVICES[name].key_env
    return search(context, service=name, base_url=site.url, environ={variable: KEY} if variable else {})


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_is_asked_in_its_own_way_and_its_answer_read(context: ToolContext, site: Site, name: str) -> None:
    path, answer = PLACES[name]
    site.pages[path] = page(json.dumps(answer(WANTED)), JSON)
    output = run(_tool(context, site, name), query="a  guide", limit=7, site="docs.example")
    assert output.details == {
        "results": [{"title": "The guide & more", "url": "https://docs.example/a", "snippet": "Words about it."}]
    }
    head, mark, *lines, _ = output.text.splitlines()
    assert head == f"[1 results of {name} for 'a guide site:docs.example']" and "data to read" in mark
    assert lines == ["1. The guide & more", "https://docs.example/a", "Words about it."]
    (request,) = site.server.requests
    sent = (
        json.loads(request.body)
        if request.body
        else {k: v[0] for k, v in parse_qs(urlsplit(request.target).query).items()}
    )
    assert (request.method, request.headers.get("authorization"), sent) == {
        "brave": ("GET", None, {"q": "a guide site:docs.example", "count": "7"}),
        "searxng": ("GET", None, {"q": "a guide site:docs.example", "format": "json"}),
        "serper": ("POST", None, {"q": "a guide site:docs.example", "num": 7}),
        "tavily": (
            "POST",
            f"Bearer {KEY}",
            {"query": "a guide", "max_results": 7, "include_domains": ["docs.example"]},
        ),
    }[name]
    carrying = {"brave": "x-subscription-token", "serper": "x-api-key", "tavily": "authorization"}.get(name)
    assert carrying is None or KEY in request.headers[carrying]


@pytest.mark.parametrize("name", SERVICES)
def test_no_results_is_an_answer_and_no_failure(context: ToolContext, site: Site, name: str) -> None:
    site.pages[PLACES[name][0]] = page("{}", JSON)
    output = run(_tool(context, site, name), query="x")
    assert (
        output.text == f"[{name} found nothing for 'x']" and output.details == {"results": []} and not output.is_error
    )


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (
            page(f'{{"error": "bad key {KEY}"}}', JSON, 401),
            'answered 401: {"error": "bad key [key]"}. Check the key in BRAVE_API_KEY.',
        ),
        (page("", JSON, 429), "answered 429. Too many requests, or none left."),
        (page("<h1>no", {"content-type": "text/html"}), "not JSON. Check web.search.base_url."),
        (page("[]", JSON), "something else than results: []."),
        (page('{"error": "broken"}', JSON), 'something else than results: {"error": "broken"}.'),
        (page('{"web": {"results": 3}}', JSON), "something else than results"),
        (page("[" * 100_000, JSON), "not JSON"),
        (sends_to("http://elsewhere.example/"), "answered 302. It redirects, and the key is not sent elsewhere"),
    ],
)
def test_what_goes_wrong_is_one_line_without_the_key(context: ToolContext, site: Site, reply: Any, told: str) -> None:
    site.pages["/res/v1/web/search"] = reply
    with pytest.raises(ToolFailed) as found:
        run(_tool(context, site, "brave"), query="x")
    assert told in str(found.value) and KEY not in str(found.value) and "\n" not in str(found.value)
    assert len(site.asked) == 1


def test_a_searxng_that_gives_no_json_is_explained(context: ToolContext, site: Site) -> None:
    site.pages["/search"] = page("", status=403)
    with pytest.raises(ToolFailed, match=r"answered 403\. Its settings\.yml must list json under search\.formats\."):
        run(_tool(context, site, "searxng"), query="x")


def test_the_effect_names_the_service_and_never_key_or_words(context: ToolContext) -> None:
    tool = search(context, service="brave", environ={"BRAVE_API_KEY": KEY})
    arguments = parse_arguments(tool.arguments, '{"query": "private words"}')
    assert tool.effects(arguments) == (ReachNetwork("https://api.search.brave.com/"),)


@pytest.mark.parametrize(
    ("settings", "environ", "told", "is_mistake"),
    [
        ({}, {}, "No search service is set up", False),
        ({"service": "brav"}, {}, "There is no search service 'brav'. Did you mean 'brave'?", True),
        ({"service": "brave"}, {}, "brave wants a key: set BRAVE_API_KEY, or web.search.api_key_file", True),
        ({"service": "brave", "api_key_env": "MY_KEY"}, {"BRAVE_API_KEY": KEY}, "set MY_KEY", True),
        ({"service": "searxng"}, {}, "web.search.base_url: set the address of your searxng", True),
        ({"service": "searxng", "base_url": "ftp://x"}, {}, "web.search.base_url: it must start with http", True),
        ({"service": "searxng", "base_url": "http://x/?q=1"}, {}, "leave out what begins with '?'", True),
        (
            {"service": "tavily", "base_url": "http://api.example"},
            {"TAVILY_API_KEY": KEY},
            "only sent with https",
            True,
        ),
        ({"service": "tavily"}, {"TAVILY_API_KEY": "two words"}, "holds what no header can", True),
        ({"service": "tavily", "api_key_file": "/no/such/file"}, {}, "/no/such/file cannot be read", True),
    ],
)
def test_settings_that_do_not_do_are_told_before_anything_is_asked(
    context: ToolContext, settings: dict[str, str], environ: dict[str, str], told: str, is_mistake: bool
) -> None:
    with pytest.raises(NotSetUp) as found:
        search(context, environ=environ, **settings)
    assert told in str(found.value) and found.value.is_mistake is is_mistake and "\n" not in str(found.value)


def test_a_key_comes_from_the_named_variable_or_else_from_the_file(
    context: ToolContext, site: Site, tmp_path: Path
) -> None:
    site.pages["/search"] = page("{}", JSON)
    (tmp_path / "key").write_text(" from-file \n", encoding="utf-8")
    context = attrs.evolve(context, home=tmp_path)
    common = {"service": "serper", "base_url": site.url, "api_key_env": "MINE", "api_key_file": "~/key"}
    for environ in ({"MINE": "from-variable"}, {"SERPER_API_KEY": "not this"}):
        run(search(context, environ=environ, **common), query="x")
    assert [request.headers["x-api-key"] for request in site.server.requests] == ["from-variable", "from-file"]


_JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["web", "results", "organic", "title", "url", "link", "content", "error"]), inner
        )
    ),
    max_leaves=20,
)


@given(st.sampled_from(sorted(SERVICES)), _JSON_VALUES)
def test_no_answer_breaks_the_reading_of_results(name: str, answer: Any) -> None:
    found = results_in(SERVICES[name], answer, 5)
    assert found is None or all(isinstance(one.title, str) and one.url.startswith("http") for one in found)

"""Both tools keep the contract."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import attrs
import pytest
from web_site import Site, page, plain_environ

from aries_kernel.contracts.tool import NeedsNetwork, ToolContext, ToolFactory
from aries_kernel.settings.schema import Search, Web
from aries_kernel.testing.tool_suite import ToolSuite
from aries_kernel.testing.workspaces import make_context
from aries_kernel.tools.schema import json_schema
from aries_tool_web.fetch import WebFetch
from aries_tool_web.search import WebSearch


def test_the_schemas_together_stay_below_1300_characters() -> None:
    whole: list[dict[str, Any]] = [
        {"name": tool.name, "description": tool.description, "parameters": json_schema(tool.arguments)}
        for tool in (WebFetch, WebSearch)
    ]
    assert len(json.dumps(whole)) < 1_300


def test_the_entry_points_name_the_tools_which_are_nothing_without_a_network(context: ToolContext) -> None:
    points = entry_points(group="aries.tools")
    found = {point.name: point.load() for point in points if "aries_tool_web" in point.value}
    assert found == {"WebFetch": WebFetch, "WebSearch": WebSearch}
    fetch = WebFetch(context)
    assert isinstance(fetch, NeedsNetwork) and fetch.needs_network


class TestWebFetch(ToolSuite):
    bad_calls = ({"url": "http://127.0.0.1:9/"}, {"url": "file:///x"}, {"url": ""}, {"url": "http://x/", "offset": 2})

    @pytest.fixture
    def factory(self) -> ToolFactory:
        return WebFetch

    @pytest.fixture
    def good_call(self, site: Site) -> Mapping[str, object]:
        site.pages["/x"] = page("<h1>\x1b[2J</h1>" + "<p>words\x07 \u202e</p>" * 3_000)
        return {"url": f"{site.url}/x"}


class TestWebSearch(ToolSuite):
    bad_calls = ({"query": ""}, {"query": "x", "limit": 0}, {"query": "x", "site": "a b"}, {"query": "x" * 2_000})

    @pytest.fixture
    def context(self, tmp_path: Path, site: Site) -> ToolContext:
        web = Web(search=Search("searxng", site.url))
        return attrs.evolve(make_context(tmp_path, environ=plain_environ()), web=web)

    @pytest.fixture
    def factory(self) -> ToolFactory:
        return WebSearch

    @pytest.fixture
    def good_call(self, site: Site) -> Mapping[str, object]:
        rows = [{"title": "\x1b[2J", "url": f"https://h/{n}", "content": "y\u202e" * 2_000} for n in range(50)]
        site.pages["/search"] = page(json.dumps({"results": rows}), {"content-type": "application/json"})
        return {"query": "words"}

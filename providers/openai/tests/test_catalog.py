"""The data file, and what of it holds where."""

from __future__ import annotations

from aries_provider_http.catalog import load_catalog
from aries_provider_openai.compat import Compat

CATALOG = load_catalog("aries_provider_openai")


def test_a_reasoning_model_on_the_vendor_s_host_is_asked_with_everything_it_takes() -> None:
    assert CATALOG.record("gpt-5-mini", is_official=True, options=None).traits(Compat()) == Compat(
        wire="responses",
        max_tokens_field="max_completion_tokens",
        supports_developer_role=True,
        supports_store=True,
        supports_reasoning_effort=True,
        session_affinity="prompt_cache_key",
    )


def test_an_unknown_model_elsewhere_is_asked_with_what_most_servers_take() -> None:
    assert CATALOG.record("qwen", is_official=False, options=None).traits(Compat()) == Compat()


def test_the_longest_prefix_wins() -> None:
    names = ("gpt-5", "gpt-5-nano-2025", "gpt-5.9-x", "gpt-4o-mini", "o3-mini", "o3")
    found = [CATALOG.record(name, is_official=True, options=None).info.price for name in names]
    assert [price.input if price else None for price in found] == [1.25, 0.05, None, 0.15, 1.1, 2.0]


def test_every_record_of_the_data_file_fits() -> None:
    for figures in CATALOG.data.models:
        CATALOG.record(figures.name, is_official=True, options=None).traits(Compat())
    assert len({figures.name for figures in CATALOG.data.models}) == len(CATALOG.data.models)

"""What holds for every model provider that is installed, whatever its wire format."""

from __future__ import annotations

import datetime
import importlib.metadata
import re
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.errors import MissingKey, UnknownName
from aries_provider_http.provider import HttpProvider

POINTS = {one.name: one for one in importlib.metadata.entry_points(group="aries.providers")}
FACTORIES: dict[str, Any] = {name: point.load() for name, point in POINTS.items()}
HTTP = sorted(name for name, factory in FACTORIES.items() if issubclass(factory, HttpProvider))
NEED_A_KEY = sorted(set(HTTP) - {"custom", "ollama", "llamacpp"})
KEY = "sk-of-somebody-else"


def make(name: str, environ: dict[str, str] | None = None, **options: Any) -> HttpProvider[Any]:
    if name == "custom":
        options = {"base_url": "https://models.example/v1"} | options
    factory = FACTORIES[name]
    made: HttpProvider[Any] = factory(ProviderContext(factory.options_type(**options), environ or {}, Path()))
    return made


def variables(name: str) -> tuple[str, ...]:
    return (FACTORIES[name].options_type().api_key_env, *FACTORIES[name].service.more_key_variables)


@pytest.mark.parametrize("name", NEED_A_KEY)
def test_the_keys_of_all_others_are_no_key(name: str) -> None:
    others = {one: KEY for other in HTTP if other != name for one in variables(other)}
    provider = make(name, others)
    with pytest.raises(MissingKey, match=variables(name)[0]):
        provider.check(provider.known_models()[0])


@pytest.mark.parametrize("name", HTTP)
def test_the_addresses_of_all_others_change_nothing(name: str) -> None:
    named = {FACTORIES[one].service.base_url_variable for one in HTTP if one != name} - {None}
    moved = make(name, {one: "https://elsewhere.example/v1" for one in named if one is not None})
    assert moved.base_url == make(name).base_url


@pytest.mark.parametrize("name", HTTP)
def test_its_own_key_is_enough(name: str) -> None:
    provider = make(name, {variables(name)[0]: KEY})
    provider.check(next(iter(provider.known_models()), "any-model"))


@pytest.mark.parametrize("name", sorted(set(NEED_A_KEY) - {"openai", "groq", "openrouter"}))
def test_a_model_of_somebody_else_is_unknown_before_anything_is_asked(name: str) -> None:
    provider = make(name, {variables(name)[0]: KEY})
    with pytest.raises(UnknownName, match="Known: "):
        provider.check("gpt-4o")
    with_figures = make(name, {variables(name)[0]: KEY}, models={"gpt-4o": _model_options(name)})
    with_figures.check("gpt-4o")


def _model_options(name: str) -> Any:
    from aries_provider_http.options import ModelOptions

    return ModelOptions()


@pytest.mark.parametrize("name", HTTP)
def test_figures_of_models_are_dated_and_plausible(name: str) -> None:
    provider = make(name)
    for model in provider.known_models():
        info = provider.model_info(model)
        provider.traits_of(model)
        assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", info.as_of), model
        assert datetime.date.fromisoformat(info.as_of) <= datetime.date.today() + datetime.timedelta(days=1)
        assert info.context_window is None or info.context_window >= 4_096, model
        assert info.max_output is None or info.context_window is None or info.max_output <= info.context_window, model
        price = info.price
        for one in (price, price.long if price else None):
            if one is not None:
                assert 0 <= (one.cache_read or 0) <= one.input <= one.output <= 1_000, model
                assert one.cache_write is None or one.input <= one.cache_write, model


@pytest.mark.parametrize("name", HTTP)
def test_what_is_known_of_a_model_holds_for_its_dated_version_too(name: str) -> None:
    provider = make(name)
    for model in provider.known_models():
        if name in ("ollama", "llamacpp") or model.endswith(":free"):
            continue
        dated, plain = provider.model_info(f"{model}-20261130"), provider.model_info(model)
        assert (dated.context_window, dated.price) == (plain.context_window, plain.price), model

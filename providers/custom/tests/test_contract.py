"""The provider contract on a server that the settings alone describe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.errors import ConfigError
from aries_kernel.model.usage import Price
from aries_kernel.testing.chat_suite import ChatSuite
from aries_kernel.testing.provider_script import sample_request
from aries_provider_custom.provider import CustomProvider, Options
from aries_provider_http.options import ModelOptions

MODELS = {"mine": ModelOptions(context_window=9000, price=Price(1.0, 2.0), compat={"supports_store": False})}


def make(**options: Any) -> CustomProvider:
    return CustomProvider(ProviderContext(Options(**options), {}, Path()))


class TestCustom(ChatSuite):
    model = "mine"
    provider_name = "custom"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        compat = {"supports_store": True, "states_parallel_calls": True}
        options = Options(base_url=url, idle_seconds=idle_seconds, models=MODELS, compat=compat)
        return CustomProvider(ProviderContext(options, {"CUSTOM_API_KEY": key}, Path()))

    def test_what_holds_for_all_models_can_be_changed_for_one(self) -> None:
        mine, other = self._bodies_for(sample_request("mine"), sample_request("other"))
        assert ("store" in mine, "store" in other) == (False, True)
        assert mine["parallel_tool_calls"] is other["parallel_tool_calls"] is True


def test_an_address_must_be_given() -> None:
    with pytest.raises(ConfigError, match=r"providers\.custom\.base_url: is not set"):
        make()


def test_no_key_is_asked_for() -> None:
    make(base_url="https://models.example/v1").check("anything")


def test_figures_come_from_the_settings_with_prices() -> None:
    info = make(base_url="https://models.example", models=MODELS).model_info("mine")
    assert (info.context_window, info.price) == (9000, Price(1.0, 2.0))


@pytest.mark.parametrize("models", [{}, MODELS])
def test_a_wrong_field_for_all_models_is_named(models: dict[str, ModelOptions]) -> None:
    with pytest.raises(ConfigError, match=r"providers\.custom\.compat\.wire: 'telegraph' does not fit"):
        make(base_url="https://models.example", compat={"wire": "telegraph"}, models=models)

"""Each shortname stands for a model that its provider knows, at a price that is known where it costs anything."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from aries_cli.opening import defaults
from aries_kernel.contracts.provider import ProviderContext

SHORTNAMES: dict[str, str] = defaults()["models"]["shortnames"]
ON_THIS_MACHINE = {"llamacpp", "ollama"}


def provider(name: str) -> Any:
    """The installed provider, without any settings."""
    [entry] = entry_points(group="aries.providers", name=name)
    factory = entry.load()
    return factory(ProviderContext(factory.options_type(), {}, Path()))


@pytest.mark.parametrize("name", SHORTNAMES)
def test_a_shortname_stands_for_a_model_that_is_known(name: str) -> None:
    owner, _, model = SHORTNAMES[name].partition("/")
    info = provider(owner).model_info(model)
    assert info.has_tools and info.price is not None
    assert info.context_window is not None or owner in ON_THIS_MACHINE

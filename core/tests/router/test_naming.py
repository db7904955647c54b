"""What a person calls a model."""

from __future__ import annotations

import pytest

from aries_kernel.errors import ConfigError, UserError
from aries_kernel.router.naming import resolve

NAMES = {"opus": "anthropic/claude-opus-4-6", "best": "opus", "a": "b", "b": "a", "empty": ""}


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("opus", "anthropic/claude-opus-4-6"),
        ("best", "anthropic/claude-opus-4-6"),
        ("openrouter/anthropic/claude", "openrouter/anthropic/claude"),
        ("ollama/qwen3:8b", "ollama/qwen3:8b"),
        (" opus ", "anthropic/claude-opus-4-6"),
    ],
)
def test_a_name_stands_for_a_model(name: str, spec: str) -> None:
    assert resolve(name, NAMES) == spec


@pytest.mark.parametrize("name", ["opsu", "", "/model", "provider/", "gpt-4", "empty"])
def test_an_unknown_name_lists_the_shortnames(name: str) -> None:
    with pytest.raises(UserError, match=r"provider/model.*shortname.*best.*opus"):
        resolve(name, NAMES)


def test_a_misspelt_shortname_names_the_nearest_one() -> None:
    with pytest.raises(UserError, match="Did you mean 'opus'"):
        resolve("opsu", NAMES)


def test_shortnames_that_go_round_in_a_circle_are_named() -> None:
    with pytest.raises(ConfigError, match="a -> b -> a"):
        resolve("a", NAMES)

"""The settings of a vault as a person writes them, wrong ones too."""

from __future__ import annotations

from pathlib import Path

import pytest

from aries_kernel.errors import ConfigError
from ori_memory.vault.config import Config
from ori_memory.vault.making import init_vault
from ori_memory.vault.reading import default_text, read_config


def test_the_file_of_a_new_vault_holds_the_defaults_and_reads_back_as_them(tmp_path: Path) -> None:
    file = init_vault(tmp_path).vault.root / "ori.config.yaml"
    assert file.read_text(encoding="utf-8") == default_text()
    file.write_text(default_text() + "# a word more, so that it is really read\n", encoding="utf-8")
    assert read_config(file) == (Config(), ())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("graph: {pagerank_alpha: 7}", r":1: graph.pagerank_alpha must be at most 0.999, not 7"),
        ("graph: {pagerank_alpha: 1.0}", "at most 0.999"),
        ("wake: {budget_lines: -3}", "wake.budget_lines must be a number from 1 on, not -3"),
        ("index: {max_bytes: 0}", "index.max_bytes must be a number from 1 on"),
        ("activation: {max_hops: -1}", "activation.max_hops must be a number from 0 on"),
        ("activation: {damping: 2}", "activation.damping must be at most 1"),
        ("vitality: {actr_decay: .nan}", "vitality.actr_decay must be a number from 0 on"),
        ("forget: {max_matches: 0}", "forget.max_matches must be a number from 1 on"),
        ("vitality:\n  zone_thresholds: {active_floor: 0.1}", "vitality.zone_thresholds must rise"),
        ("vitality: {actr_decay: lots}", "vitality.actr_decay must be a number"),
        ("[", "not valid YAML"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place_and_the_file_left(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "ori.config.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=told):
        read_config(file)
    assert file.read_text(encoding="utf-8") == text


def test_another_version_and_unknown_keys_are_told(tmp_path: Path) -> None:
    file = tmp_path / "ori.config.yaml"
    file.write_text('vault: {version: "9"}\nwaek: 1\n', encoding="utf-8")
    config, warnings = read_config(file)
    assert config.wake == Config().wake and len(warnings) == 2
    assert "Did you mean 'wake'?" in warnings[0] and "vault.version is '9'" in warnings[1]

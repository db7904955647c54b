"""The settings of a vault as a person writes them, wrong ones too."""

from __future__ import annotations

import subprocess
import sys
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


def test_defaults_are_comments_so_that_those_of_a_later_ori_hold_and_each_counts_once_its_mark_is_gone(
    tmp_path: Path,
) -> None:
    file = init_vault(tmp_path).vault.root / "ori.config.yaml"
    lines = file.read_text(encoding="utf-8").splitlines()[1:]
    marked = [line.lstrip().startswith("# ") for line in lines]
    said = [line.split("  # ")[0].strip() for line, is_marked in zip(lines, marked, strict=True) if not is_marked]
    assert [line for line in said if line and not line.endswith(":")] == ['version: "0.1"']
    plain = [line.replace("# ", "", is_marked) for line, is_marked in zip(lines, marked, strict=True)]
    file.write_text("\n".join(plain), encoding="utf-8")
    assert read_config(file) == (Config(), ())
    file.write_text("\n".join(lines).replace("# limit: 10", "limit: 3"), encoding="utf-8")
    config, warnings = read_config(file)
    assert (config.retrieval.limit, config.retrieval.signals, warnings) == (3, Config().retrieval.signals, ())


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


OWN = """\
retrieval: {options: {graph: {rounds: 3, weights: [1, 0.5, null, true], name: "é"}}, signals: {keyword: 2}}
wake: {sources: [{path: a.md, role: due, cap: 3, mode: tail}]}
vitality: {zone_thresholds: {active_floor: 0.7}}
waek: 1
"""


def test_settings_of_ones_own_are_the_same_when_they_are_read_again(tmp_path: Path) -> None:
    file = init_vault(tmp_path).vault.root / "ori.config.yaml"
    file.write_text(OWN, encoding="utf-8")
    first = read_config(file)
    kept = file.parent / ".ori" / "settings.stamp"
    before = kept.read_bytes()
    assert read_config(file) == first and kept.read_bytes() == before
    assert first[0].wake.sources[0].mode == "tail" and first[0].vitality.zone_thresholds.active_floor == 0.7
    assert "waek" in first[1][0]


def test_a_command_that_follows_needs_no_reader_of_yaml(tmp_path: Path) -> None:
    file = init_vault(tmp_path).vault.root / "ori.config.yaml"
    file.write_text(OWN, encoding="utf-8")
    code = "import sys; from pathlib import Path; from ori_memory.vault.reading import read_config as read; "
    code += "print(read(Path(sys.argv[1]))[0].vitality.zone_thresholds.active_floor, 'ruamel.yaml' in sys.modules)"
    told = [
        subprocess.run(
            [sys.executable, "-c", code, str(file)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert told == [["0.7", "True"], ["0.7", "False"]]


def test_changed_settings_of_the_same_size_are_read_anew(tmp_path: Path) -> None:
    file = init_vault(tmp_path).vault.root / "ori.config.yaml"
    for floor in ("0.7", "0.8"):
        file.write_text(OWN.replace("0.7", floor), encoding="utf-8")
        assert read_config(file)[0].vitality.zone_thresholds.active_floor == float(floor)
    file.write_text("graph: {pagerank_alpha: 7}", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(ConfigError, match="at most"):
            read_config(file)


@pytest.mark.parametrize("harm", ["", "{", "[]", '{"of": 1}', "cut", "kind", "deep"])
def test_damaged_kept_settings_change_nothing(tmp_path: Path, harm: str) -> None:
    file = init_vault(tmp_path).vault.root / "ori.config.yaml"
    file.write_text(OWN, encoding="utf-8")
    first = read_config(file)
    kept = file.parent / ".ori" / "settings.stamp"
    text = kept.read_text(encoding="utf-8")
    changed = {"cut": text[:-9], "kind": text.replace('"Config"', '"attrs"'), "deep": "[" * 100_000}.get(harm, harm)
    kept.write_text(changed, encoding="utf-8")
    assert read_config(file) == first and kept.read_text(encoding="utf-8") == text


def test_a_moved_vault_tells_its_new_place(tmp_path: Path) -> None:
    file = init_vault(tmp_path / "old").vault.root / "ori.config.yaml"
    file.write_text(OWN, encoding="utf-8")
    read_config(file)
    (tmp_path / "old").rename(tmp_path / "new")
    assert str(tmp_path / "new") in read_config(tmp_path / "new" / file.name)[1][0]


def test_values_that_would_not_come_back_as_they_are_are_not_kept(tmp_path: Path) -> None:
    file = init_vault(tmp_path).vault.root / "ori.config.yaml"
    file.write_text("retrieval: {options: {graph: {since: 2024-05-01}}}\n", encoding="utf-8")
    first = read_config(file)
    assert read_config(file) == first and not (file.parent / ".ori" / "settings.stamp").exists()

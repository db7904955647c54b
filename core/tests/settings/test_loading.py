"""Settings: layers, origins, and everything that can be wrong in a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen

from aries_kernel.errors import ConfigError
from aries_kernel.settings.loading import Loaded, load_settings, structure_options


def load(
    folder: Path,
    user: str = "",
    project: str = "",
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Loaded:
    (folder / "user.yaml").write_text(user, encoding="utf-8")
    (folder / "project.yaml").write_text(project, encoding="utf-8")
    return load_settings(folder / "user.yaml", folder / "project.yaml", environ or {}, flags or {})


def origin(loaded: Loaded, key: str) -> str:
    return next(value.origin for value in loaded.values if value.key == key)


def test_later_layers_win_key_by_key_and_each_value_knows_its_origin(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        user="budget: {max_turns: 1, max_calls: 2}\nphase: full\noutput:\n  max_lines: 5\n",
        project="phase: plan\n",
        environ={"ARIES_MODEL": "a/b"},
        flags={"budget": {"max_turns": 9}},
    )
    settings = loaded.settings
    assert (settings.budget.max_turns, settings.budget.max_calls, settings.phase) == (9, 2, "plan")
    assert settings.models.primary.model == "a/b"
    assert origin(loaded, "budget.max_turns") == "flags"
    assert origin(loaded, "budget.max_calls") == f"{tmp_path / 'user.yaml'}:1"
    assert origin(loaded, "output.max_lines") == f"{tmp_path / 'user.yaml'}:4"
    assert origin(loaded, "phase") == f"{tmp_path / 'project.yaml'}:1"
    assert origin(loaded, "models.primary.model") == "environment"
    assert origin(loaded, "retry.attempts") == "default"


def test_all_problems_of_all_files_are_told_at_once_with_file_line_and_key(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(
            tmp_path,
            user="permissions:\n  mode: edit\n  allow: Read\nbudget:\n  max_cost: '3'\n",
            project="phase: 3\n",
        )
    user, project = tmp_path / "user.yaml", tmp_path / "project.yaml"
    assert sorted(caught.value.problems) == sorted(
        [
            f"{user}:2: permissions.mode must be one of ask, edits, read-only, all, not 'edit' "
            "(did you mean 'edits'?).",
            f"{user}:3: permissions.allow must be an array, not string.",
            f"{user}:5: budget.max_cost must be a number, not string.",
            f"{project}:1: phase must be a string, not integer.",
        ]
    )


def test_an_unknown_key_is_a_warning_with_the_nearest_known_one(tmp_path: Path) -> None:
    loaded = load(tmp_path, user="models:\n  primary:\n    modle: x\nphasse: lean\n")
    assert loaded.warnings == (
        f"{tmp_path / 'user.yaml'}:3: unknown key models.primary.modle, ignored. Did you mean 'model'?",
        f"{tmp_path / 'user.yaml'}:4: unknown key phasse, ignored. Did you mean 'phase'?",
    )


@pytest.mark.parametrize(
    "text",
    [
        "permissions: {mode: all}",
        "permissions: {allow: [Bash]}",
        "providers: {openai: {base_url: 'http://evil'}}",
        "workspace: {also: [/]}",
        "budget: {max_cost: 1000}",
        "phases: {plan: {mode: all}}",
        "plugins: {disabled: [guard]}",
    ],
)
def test_a_project_cannot_loosen_what_the_person_set(tmp_path: Path, text: str) -> None:
    loaded = load(tmp_path, project=text)
    assert loaded.settings == load(tmp_path).settings
    assert len(loaded.warnings) == 1 and "ignored in a project's file" in loaded.warnings[0]


def test_rules_of_layers_add_up_so_that_no_layer_takes_one_away(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        user="permissions: {deny: [Bash(rm)]}",
        project="permissions: {deny: []}",
        flags={"permissions": {"deny": ["Write"]}},
    )
    assert loaded.settings.permissions.deny == ("Bash(rm)", "Write")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"a: [1", "1: is not valid YAML"),
        (b"a: 1\na: 2\n", "2: is not valid YAML"),
        (b"\tphase: lean\n", "1: is not valid YAML"),
        (b"phase: \xff\n", "is not UTF-8 text (byte 7)"),
        (b"- phase\n", "must hold keys and values"),
        (b"just words\n", "must hold keys and values"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_left_alone(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "user.yaml"
    file.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        load_settings(file, None, {}, {})
    assert str(file) in caught.value.problems[0] and told in caught.value.problems[0]
    assert file.read_bytes() == content


def test_a_bom_and_an_empty_file_are_fine(tmp_path: Path) -> None:
    (tmp_path / "user.yaml").write_bytes(b"\xef\xbb\xbfphase: full\r\n")
    assert load_settings(tmp_path / "user.yaml", None, {}, {}).settings.phase == "full"
    assert load(tmp_path, user="# nothing\n").settings.phase == "full"


@pytest.mark.parametrize(
    "text", ["permissions: all", "phases: 3", "providers: [x]", "models: {primary: x}", "phases: {a: 1}"]
)
def test_a_value_where_keys_belong_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match="must be an object with keys"):
        load(tmp_path, user=text)


@frozen
class Options:
    url: str = field(default="x")
    seconds: float = field(default=1.0)


def test_options_of_a_provider_are_checked_by_its_own_class(tmp_path: Path) -> None:
    loaded = load(tmp_path, user="providers:\n  p:\n    url: y\n    secs: 3\n")
    options, warnings = structure_options(Options, "p", loaded)
    assert options == Options("y")
    assert warnings == (f"{tmp_path / 'user.yaml'}:4: unknown key providers.p.secs, ignored. Did you mean 'seconds'?",)
    wrong = load(tmp_path, user="providers:\n  p:\n    url: 3\n    seconds: no\n")
    with pytest.raises(ConfigError) as caught:
        structure_options(Options, "p", wrong)
    assert caught.value.problems == (
        f"{tmp_path / 'user.yaml'}:3: providers.p.url must be a string, not integer.",
        f"{tmp_path / 'user.yaml'}:4: providers.p.seconds must be a number, not string.",
    )


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("models: {primary: {max_output: 0}}", "models.primary.max_output"),
        ("budget: {max_turns: -1}", "budget.max_turns"),
        ("budget: {max_cost: .nan}", "budget.max_cost"),
        ("budget: {max_seconds: .inf}", "budget.max_seconds"),
        ("retry: {attempts: 0}", "retry.attempts"),
        ("output: {max_bytes: 0}", "output.max_bytes"),
        ("output: {command_seconds: -5}", "output.command_seconds"),
        ("instructions: {max_chars: -1}", "instructions.max_chars"),
    ],
)
def test_a_number_that_makes_no_sense_is_told_with_its_line(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, user=f"{text}\n")
    [problem] = caught.value.problems
    assert problem.startswith(f"{tmp_path / 'user.yaml'}:1: {key} must be a number from ")


def test_a_wrong_number_and_a_wrong_type_are_told_together(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, user="budget:\n  max_turns: 0\n  max_calls: many\n")
    assert len(caught.value.problems) == 2


def test_an_unknown_phase_is_told_where_it_stands(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"user\.yaml:2: There is no phase 'ful'\. Did you mean 'full'\?"):
        load(tmp_path, user="# mine\nphase: ful\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a named pipe")
@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_settings_that_are_no_file_are_named_and_not_waited_for(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "user.yaml"
    place.mkdir() if kind == "folder" else os.mkfifo(place)
    with pytest.raises(ConfigError, match=r"user\.yaml: is not a file"):
        load_settings(place, None, {}, {})


def test_the_kind_of_a_wrong_document_is_said_in_plain_words(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="must hold keys and values, not array"):
        load(tmp_path, user="- a\n")

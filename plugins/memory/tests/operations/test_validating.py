"""What a template asks is checked; the inbox may still be unfinished."""

from __future__ import annotations

from pathlib import Path

import pytest

from aries_kernel.errors import UserError
from ori_memory.memory import Memory
from ori_memory.operations.caring import health
from ori_memory.operations.validating import Validated, validate_all, validate_note
from ori_memory.vault.making import adopt_vault, make_vault
from ori_memory.vault.vault import OutsideVault, Vault

GOOD = "description: Says one thing\ntype: insight\nstatus: active\ncreated: 2026-01-02\n"


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return make_vault(tmp_path / "vault")


def check(vault: Vault, path: str, text: str | bytes) -> Validated:
    place = vault.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text if isinstance(text, bytes) else text.encode())
    with Memory.open(vault) as memory:
        return validate_note(memory, path)


def note(head: str, body: str = "text\n") -> str:
    return f"---\n{head}---\n{body}"


def test_a_note_that_keeps_to_its_template_has_nothing_wrong(vault: Vault) -> None:
    assert check(vault, "notes/a.md", note(GOOD)) == Validated("notes/a.md", (), ())


@pytest.mark.parametrize(
    ("head", "error"),
    [
        (GOOD.replace("Says one thing", ""), "description is blank"),
        (GOOD.replace("Says one thing", '"  "'), "description is blank"),
        (GOOD.replace("insight", "[]"), "type is blank"),
        (GOOD.replace("status: active\n", ""), "status is missing"),
        (GOOD.replace("insight", "rumour"), "type is 'rumour'; it must be one of"),
        (GOOD.replace("insight", "[idea, rumour]"), "type is 'rumour'"),
        (GOOD + "confidence: sure\n", "confidence is 'sure'"),
        (GOOD.replace("Says one thing", "x" * 201), "description has 201 characters; 200 are allowed"),
        (GOOD + "type: idea\n", "the key 'type' occurs twice"),
    ],
)
def test_each_rule_has_its_error(vault: Vault, head: str, error: str) -> None:
    [found] = check(vault, "notes/a.md", note(head)).errors
    assert error in found


def test_no_frontmatter_is_one_error(vault: Vault) -> None:
    [found] = check(vault, "notes/a.md", "# A\ntext\n").errors
    assert "no frontmatter" in found


def test_a_head_that_is_not_closed_is_an_error_and_the_only_one(vault: Vault) -> None:
    found = check(vault, "notes/a.md", "---\ntype: idea\ntext\n")
    assert len(found.errors) == 1 and "no later line" in found.errors[0]


def test_a_period_at_the_end_is_a_warning(vault: Vault) -> None:
    found = check(vault, "notes/a.md", note(GOOD.replace("one thing", "one thing.")))
    assert (found.errors, found.warnings) == ((), ("description ends with a period",))


def test_in_the_inbox_errors_are_warnings(vault: Vault) -> None:
    found = check(vault, "inbox/a.md", note("type: rumour\n"))
    assert found.errors == () and len(found.warnings) == 4


def test_maps_and_other_spaces_have_rules_of_their_own(vault: Vault) -> None:
    assert check(vault, "notes/m.md", note("description: d\ntype: moc\n")).errors == ()
    assert check(vault, "self/x.md", "no head\n").errors == ()
    assert check(vault, "notes/deep/x.md", "no head\n").errors == ()


def test_links_that_lead_nowhere_or_to_several_notes_are_warnings(vault: Vault) -> None:
    (vault.root / "notes" / "same.md").write_text(note(GOOD), encoding="utf-8")
    (vault.root / "inbox" / "same.md").write_text(note(GOOD), encoding="utf-8")
    found = check(vault, "ops/a.md", "[[gone]] [[same]]\n![p](pics/none.png) `[[code]]`\n")
    assert found.errors == ()
    assert [warning.partition(" ")[2].partition(":")[0] for warning in found.warnings] == ["1", "1", "2"]


def test_bytes_that_are_no_utf_8_are_a_warning(vault: Vault) -> None:
    found = check(vault, "notes/a.md", note(GOOD).encode() + b"caf\xe9\n")
    assert found.errors == () and "not UTF-8" in found.warnings[0]


def test_an_adopted_vault_without_templates_has_structural_checks_only(tmp_path: Path) -> None:
    vault = adopt_vault(tmp_path).vault
    assert check(vault, "a.md", "no head\n").errors == ()
    assert "valid YAML" in check(vault, "b.md", "---\na: [1\n---\n").errors[0]


def test_a_template_that_is_wrong_is_told_and_asks_nothing(vault: Vault) -> None:
    text = "---\n_schema:\n  required: type\n  enums: [a]\n  constraints: {type: {max_length: long}}\n---\n"
    (vault.root / "templates" / "note.md").write_text(text, encoding="utf-8")
    found = check(vault, "notes/a.md", "no head\n")
    assert found.errors == () and len(found.warnings) == 3


def test_a_path_that_leads_out_is_refused(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    (vault.root / "notes" / "out.md").symlink_to(tmp_path / "secret.md")
    with Memory.open(vault) as memory:
        for path in ("../secret.md", str(tmp_path / "secret.md"), "notes/out.md", "notes/../../secret.md", "a\0b"):
            with pytest.raises(OutsideVault):
                validate_note(memory, path)
        for path in ("%2e%2e/secret.md", "notes/none.md", "inbox"):
            with pytest.raises(UserError):
                validate_note(memory, path)


def test_a_note_may_be_named_by_its_title(vault: Vault) -> None:
    check(vault, "notes/a.md", note(GOOD + "title: A good title\n"))
    with Memory.open(vault) as memory:
        assert validate_note(memory, "A good title").path == "notes/a.md"


def test_all_notes_are_told_of_where_something_is_wrong(vault: Vault) -> None:
    check(vault, "notes/bad.md", note("type: rumour\n", "[[gone]]\n"))
    check(vault, "notes/good.md", note(GOOD))
    with Memory.open(vault) as memory:
        plain = validate_all(memory)
        with_links = validate_all(memory, with_links=True)
    assert [one.path for one in plain] == ["notes/bad.md"]
    assert any("gone" in warning for one in with_links for warning in one.warnings)


def test_a_merge_that_was_not_finished_is_told_by_its_lines(vault: Vault) -> None:
    mine = "# One\n\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> 32dcbf2\nend\n"
    told = "line 7: a merge stopped here, with two versions until line 11; keep what is right and remove the signs"
    assert check(vault, "b.md", note("title: x\n", mine).replace("# One\n\n", "\n\n\n")).errors == (told,)
    head = note("<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> x\n")
    assert [error.partition(":")[0] for error in check(vault, "c.md", head).errors] == ["line 2"]
    assert check(vault, "d.md", f"How git shows it:\n\n```\n{mine}```\n").errors == ()
    assert check(vault, "e.md", "a\n=======\n\n>>>>>>> quoted often\n").errors == ()


@pytest.mark.parametrize(
    "name",
    [
        "Alpha (Anna's conflicted copy 2024-05-04)",
        "Alpha (conflicted copy 2024-05-04 101010)",
        "Alpha.sync-conflict-20240504-101010-ABCDEFG",
        "Alpha (Case Conflict)",
    ],
)
def test_copies_that_a_synchroniser_left_are_told_with_the_note_that_they_are_of(vault: Vault, name: str) -> None:
    for path in ("Alpha", name, "Beta (conflicted copy)"):
        (vault.root / "notes" / f"{path}.md").write_text("x\n", encoding="utf-8")
    with Memory.open(vault) as memory:
        assert health(memory).copies == ((f"notes/{name}.md", "notes/Alpha.md"),)

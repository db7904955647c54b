"""The brief: what is in it, what is not, and what goes first when there is no room."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from ori_memory.index.index import open_index
from ori_memory.learned.store import LearnedStore
from ori_memory.operations.visible_lines import visible_lines
from ori_memory.operations.waking import DROPPED_FIRST, LADDER, is_first_run, wake
from ori_memory.vault.making import adopt_vault, make_vault
from ori_memory.vault.vault import Vault

NOW = datetime.datetime(2026, 3, 10, 9, 0, tzinfo=datetime.UTC)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    made = make_vault(tmp_path / "vault")
    write(made, "self/identity.md", "---\ntype: self\n---\n# Identity\n\n## Who I Am\n\nI am Ori, a careful helper.\n")
    write(made, "self/goals.md", "# Goals\n\n## Active Threads\n\n- ship it\n\n## Completed\n")
    write(
        made, "ops/reminders.md", "# Reminders\n<!-- - [ ] 2026-03-10: comment -->\n- [ ] 2026-03-12: call\n- [x] b\n"
    )
    write(made, "ops/daily.md", "---\ndate: x\n---\n# Daily\n## Notes\n" + "".join(f"- line {n}\n" for n in range(30)))
    return made


def write(vault: Vault, path: str, text: str) -> None:
    (vault.root / path).write_text(text, encoding="utf-8")


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {str(file): (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.rglob("*") if file.is_file()}


def test_each_source_gives_its_section(vault: Vault) -> None:
    brief = wake(vault, now=NOW)
    assert brief.sections["identity"] == ("I am Ori, a careful helper.",)
    assert brief.sections["goals"] == ("## Active Threads", "- ship it")
    assert brief.sections["reminders"] == ("2026-03-12 (in 2 days): call",)
    assert brief.sections["daily"] == tuple(f"- line {n}" for n in range(20, 30))
    assert "no index yet" in brief.sections["notices"][0]
    assert brief.lines[0] == "I am Ori, a careful helper." and not brief.is_first_run


def test_the_same_moment_gives_the_same_brief_and_nothing_is_written(vault: Vault) -> None:
    before = snapshot(vault.root)
    assert wake(vault, now=NOW) == wake(vault, now=NOW)
    assert snapshot(vault.root) == before


@pytest.mark.parametrize("budget", [1, 2, 3, 5, 8, 12, 18, 25, 96])
def test_the_budget_holds_and_sections_go_in_the_order_of_the_ladder(vault: Vault, budget: int) -> None:
    brief = wake(vault, now=NOW, budget=budget)
    assert len(brief.lines) <= budget
    assert brief.lines[0] == "I am Ori, a careful helper."
    there = [name for name in DROPPED_FIRST if name in wake(vault, now=NOW, budget=96).sections]
    assert list(brief.dropped) == there[: len(brief.dropped)]


def test_no_section_is_longer_than_its_place_in_the_ladder(vault: Vault) -> None:
    for path in ("self/goals.md", "ops/reminders.md", "ops/daily.md"):
        write(vault, path, "".join(f"- [ ] item {n}\n" for n in range(100)))
    sections = wake(vault, now=NOW, budget=500).sections
    assert all(len(lines) <= LADDER[name] for name, lines in sections.items())


class TestFirstRun:
    def test_a_new_vault_is_one(self, tmp_path: Path) -> None:
        brief = wake(make_vault(tmp_path / "v"), now=NOW)
        assert brief.is_first_run and brief.lines[0].startswith("First session")

    @pytest.mark.parametrize(
        "text", ["", "\n\n", "# Identity\n", "---\na: b\n---\n# I\n<!-- x\ny -->\n", "<!-- First session: -->\nx"]
    )
    def test_an_identity_that_says_nothing_is_one(self, vault: Vault, text: str) -> None:
        write(vault, "self/identity.md", text)
        assert is_first_run(vault)

    def test_a_vault_without_identity_is_one(self, tmp_path: Path) -> None:
        assert is_first_run(adopt_vault(tmp_path).vault)

    def test_one_line_of_text_is_enough(self, vault: Vault) -> None:
        write(vault, "self/identity.md", "x")
        assert not is_first_run(vault)


class TestWhatIsNotShown:
    @pytest.mark.parametrize(
        "secret",
        [
            "sk-proj-abcdefghijklmnopqrstuvwx",
            "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
            "AKIAIOSFODNN7EXAMPLE",
            "password: hunter22",
            "API_KEY=abcd1234efgh",
            "**Token:** `abcd1234`",
            "https://ann:pass1234@host/x",
            "eyJhbGciOiJI.eyJzdWIiOiIx.abcdefgh",
        ],
    )
    def test_secrets(self, vault: Vault, secret: str) -> None:
        write(vault, "ops/daily.md", f"- before {secret} \n")
        shown = " ".join(wake(vault, now=NOW).lines)
        assert "[secret left out]" in shown
        assert not any(part in shown for part in ("hunter22", "abcd1234", "pass1234", secret))

    def test_words_about_secrets_are_no_secrets(self) -> None:
        text = "- The token budget is a good idea\n- reset password of Ann\n- task-management-for-everyone"
        assert visible_lines(text) == text.split("\n")

    def test_a_private_key(self) -> None:
        key = "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\nxyz\n-----END RSA PRIVATE KEY-----\nafter"
        assert visible_lines(key) == ["[secret left out]", "after"]

    def test_comments_also_over_lines_but_not_in_code(self) -> None:
        text = "a <!-- b --> c\n<!-- d\ne --> f\n`<!--` g\n```\n<!-- h -->\n```\ni <!-- j\nk"
        assert visible_lines(text) == ["a  c", " f", "`<!--` g", "```", "<!-- h -->", "```", "i "[:1]]

    def test_titles_with_nothing_below(self) -> None:
        assert visible_lines("# A\n## B\n### C\n# D\n## E\ne\n## F\n") == ["# D", "## E", "e"]


def test_files_that_cannot_be_read_are_told_and_the_rest_is_shown(vault: Vault, tmp_path: Path) -> None:
    (vault.root / "self/goals.md").unlink()
    (vault.root / "self/goals.md").mkdir()
    (vault.root / "ops/daily.md").unlink()
    (vault.root / "ops/daily.md").symlink_to(tmp_path)
    (vault.root / "ops/reminders.md").write_bytes(b"- [ ] caf\xe9\n")
    brief = wake(vault, now=NOW)
    assert brief.sections["reminders"] == ("café",)
    assert [notice.partition(" ")[0] for notice in brief.notices][:1] == ["self/goals.md"]
    assert any("leads out of the vault" in notice for notice in brief.notices)


def test_a_huge_file_is_read_in_part_and_whole_lines_only(vault: Vault) -> None:
    write(vault, "ops/daily.md", "".join(f"- é line {n}\n" for n in range(100_000)))
    assert wake(vault, now=NOW).sections["daily"][-1] == "- é line 99999"
    write(vault, "self/goals.md", "é" * 1_000_000)
    assert len(wake(vault, now=NOW).lines) < 40


class TestWithAnIndex:
    @pytest.fixture
    def warm(self, vault: Vault) -> Vault:
        for number in range(14):
            status = "archived" if number == 13 else "active"
            write(
                vault,
                f"notes/n{number}.md",
                f"---\nid: id{number}\ntitle: Note {number}\nstatus: {status}\n---\n[[gone]]\n",
            )
        write(vault, "inbox/i.md", "x\n")
        open_index(vault).close()
        with LearnedStore(vault.learned_path) as store:
            for number in range(14):
                for _ in range(number + 1):
                    store.add_boosts({f"id{number}": 0.03, "nobody": 0.03}, "s", NOW)
        return vault

    def test_the_warmest_notes_are_shown_but_none_that_was_forgotten(self, warm: Vault) -> None:
        shown = wake(warm, now=NOW, budget=96).sections["warm"]
        assert len(shown) == 10
        assert shown[0].startswith("Note 12 (notes/n12.md, 0.") and shown[-1].startswith("Note 3 ")

    def test_figures_say_of_when_they_are(self, warm: Vault) -> None:
        first, second = wake(warm, now=NOW, budget=96).sections["vitals"]
        assert "1 in the inbox (index of " in first
        assert second.startswith("1 names are linked that no note has")

    def test_no_file_is_made_or_changed(self, warm: Vault) -> None:
        before = snapshot(warm.root)
        wake(warm, now=NOW)
        assert snapshot(warm.root) == before

    def test_a_broken_index_or_store_is_a_notice(self, warm: Vault) -> None:
        warm.index_path.write_bytes(b"broken" * 1_000)
        brief = wake(warm, now=NOW, budget=96)
        assert "warm" not in brief.sections and "cannot be read" in brief.notices[0]
        assert "goals" in brief.sections

    @pytest.mark.parametrize("kind", ["broken", "strange"])
    def test_a_learned_store_that_cannot_be_read_is_a_notice_too(self, warm: Vault, kind: str) -> None:
        strange = warm.index_path.read_bytes()
        for file in warm.state_folder.glob("learned*"):
            file.unlink()
        warm.learned_path.write_bytes(b"broken" * 1_000 if kind == "broken" else strange)
        brief = wake(warm, now=NOW, budget=96)
        assert "learned store" in brief.notices[0]
        assert "vitals" in brief.sections and "warm" not in brief.sections

"""Pages as Logseq and Dendron keep them, linked and renamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ori_memory.memory import Memory
from ori_memory.operations.moving import move_note
from ori_memory.vault.making import adopt_vault

DENDRON = "---\nid: x{0}\ntitle: {0}\ndesc: ''\nupdated: 1714730000000\ncreated: 1714730000000\n---\n"


def opened(folder: Path, notes: dict[str, str]) -> Memory:
    for path, text in notes.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return Memory.open(adopt_vault(folder).vault)


@pytest.mark.parametrize(
    ("path", "new", "moved"),
    [
        ("pages/Work___Alpha.md", "Work/Omega", "pages/Work___Omega.md"),
        ("pages/Work%2FAlpha.md", "Work/Omega", "pages/Work%2FOmega.md"),
        ("pages/Work___Alpha.md", "elsewhere/Omega.md", "elsewhere/Omega.md"),
    ],
)
def test_a_page_of_a_namespace_is_renamed_as_a_page_and_its_links_follow(
    tmp_path: Path, path: str, new: str, moved: str
) -> None:
    notes = {path: "- plan\n", "journals/2024_05_03.md": "- see [[Work/Alpha]] and [[work/alpha|it]]\n"}
    with opened(tmp_path, notes) as memory:
        assert move_note(memory, "Work/Alpha", new).path == moved
        assert (tmp_path / moved).read_text(encoding="utf-8") == "- plan\n"
        assert memory.index.dangling() == ()
        title = new.removeprefix("elsewhere/").removesuffix(".md")
        text = (tmp_path / "journals" / "2024_05_03.md").read_text(encoding="utf-8")
        assert text == f"- see [[{title}]] and [[{title}|it]]\n"


def test_any_page_of_a_graph_of_logseq_can_go_into_a_namespace(tmp_path: Path) -> None:
    notes = {"logseq/config.edn": "{}", "logseq/bak/pages/Ann.md": "- old\n", "pages/Ann.md": "- [[Ann]]\n"}
    with opened(tmp_path, notes) as memory:
        assert [note.path for note in memory.index.notes()] == ["pages/Ann.md"]
        assert move_note(memory, "Ann", "People/Ann").path == "pages/People___Ann.md"
        assert (tmp_path / "pages" / "People___Ann.md").read_text(encoding="utf-8") == "- [[People/Ann]]\n"


@pytest.mark.parametrize("name", ["May 3rd, 2024", "Fri, 03.05.2024", "2024-05-03", "2024/05/03", "2024年05月03日"])
def test_the_page_of_a_day_is_linked_in_whatever_form_its_program_shows_it(tmp_path: Path, name: str) -> None:
    notes = {
        "journals/2024_05_03.md": "- x\n",
        "pages/a.md": f"- [[{name}]]\n",
        "pages/b.md": "- [[2024-05-03 Talk]]\n",
    }
    with opened(tmp_path, notes) as memory:
        (link,) = memory.index.outgoing("pages/a.md")
        assert link.target == "journals/2024_05_03.md"
        assert [one.target for one in memory.index.dangling()] == ["2024-05-03 Talk"]


def test_a_note_of_that_very_name_comes_before_the_page_of_the_day(tmp_path: Path) -> None:
    notes = {"a.md": "[[2024-05-03]]", "sub/2024-05-03.md": "x", "20240503.md": "x"}
    with opened(tmp_path, notes) as memory:
        (link,) = memory.index.outgoing("a.md")
        assert (link.target, link.is_ambiguous) == ("sub/2024-05-03.md", False)


def test_dendron_puts_the_label_first(tmp_path: Path) -> None:
    text = "See [[the beta|work.beta]], [[work.beta|beta]], [[Beta|work.beta#^a1]] and [[^own]]\n"
    notes = {"work.alpha.md": DENDRON.format("alpha") + text, "work.beta.md": DENDRON.format("beta")}
    with opened(tmp_path, notes) as memory:
        assert [link.target for link in memory.index.outgoing("work.alpha.md")] == ["work.beta.md"] * 3 + [
            "work.alpha.md"
        ]
        move_note(memory, "work.beta", "work.gamma.md")
        kept = (tmp_path / "work.alpha.md").read_text(encoding="utf-8")
        assert kept.endswith("[[the beta|work.gamma]], [[work.gamma|beta]], [[Beta|work.gamma#^a1]] and [[^own]]\n")


def test_elsewhere_the_target_is_first(tmp_path: Path) -> None:
    notes = {"a.md": "[[b|work.beta]]", "b.md": "", "work.beta.md": ""}
    with opened(tmp_path, notes) as memory:
        assert [link.target for link in memory.index.outgoing("a.md")] == ["b.md"]


def test_a_board_shows_a_note_that_moved_and_no_other_byte_changes(tmp_path: Path) -> None:
    board = '{"nodes":[{"type":"file","file" : "a/Tea.md"},{"file":"a/Tea.md.md"},{"text":"a/Tea.md Ü"}],\r\n "x":1}'
    with opened(tmp_path, {"a/Tea.md": "x", "b.md": "x"}) as memory:
        (tmp_path / "boards").mkdir()
        (tmp_path / "boards" / "Board.canvas").write_bytes(board.encode())
        assert move_note(memory, "Tea", "b/Größe.md", is_dry_run=True).rewritten == (("boards/Board.canvas", 1),)
        assert move_note(memory, "Tea", "b/Größe.md").warnings == ()
        kept = (tmp_path / "boards" / "Board.canvas").read_bytes().decode()
        assert kept == board.replace('"file" : "a/Tea.md"', '"file" : "b/Größe.md"')

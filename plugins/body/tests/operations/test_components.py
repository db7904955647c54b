"""Components in the graph of a project, by the packs that are installed."""

from __future__ import annotations

from pathlib import Path

from body_trees import write

from aries_body.operations.codebase import Codebase

CARD = "<script setup>\nimport { format } from './format'\n</script>\n<template>{{ format() }}</template>\n"


def test_files_of_one_text_are_components_of_their_own_names_also_after_a_restart_and_a_rename(
    root: Path, tmp_path: Path
) -> None:
    write(root, {"src/Card.vue": CARD, "src/Row.vue": CARD, "src/format.ts": "export function format() {}\n"})
    cache = tmp_path / "kept"
    for _ in range(2):
        codebase = Codebase.open(root, cache_folder=cache)
        try:
            assert [one.path for one in codebase.find_symbol("Card")] == ["src/Card.vue"]
            assert [one.path for one in codebase.find_symbol("Row")] == ["src/Row.vue"]
        finally:
            codebase.close()
    (root / "src/Row.vue").rename(root / "src/Line.vue")
    codebase = Codebase.open(root, cache_folder=cache)
    try:
        assert [one.path for one in codebase.find_symbol("Line")] == ["src/Line.vue"]
        assert not codebase.find_symbol("Row")
    finally:
        codebase.close()


def test_edges_lead_from_scripts_to_components_and_back(root: Path) -> None:
    files = {
        "src/main.ts": "import { Card } from './parts'\nnew Card()\n",
        "src/parts.ts": "export { default as Card } from './Card.vue'\n",
        "src/Card.vue": CARD.replace("\n", "\r\n"),
        "src/Page.vue": "<script setup>\nimport { Card } from './parts'\n</script>\n<template>\n<Card/>\n</template>\n",
        "src/format.ts": "export function format() {}\n",
    }
    write(root, files)
    codebase = Codebase.open(root, cache_folder=None)
    try:
        assert {one.path for one in codebase.show_dependents("src/Card.vue")} == {
            "src/main.ts",
            "src/parts.ts",
            "src/Page.vue",
        }
        assert {one.path for one in codebase.show_dependents("src/format.ts")} == {"src/Card.vue"}
        assert [(one.path, one.line) for one in codebase.callers("format")] == [("src/Card.vue", 4)]
    finally:
        codebase.close()

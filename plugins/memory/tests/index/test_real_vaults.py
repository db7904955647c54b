"""Both real vaults: nothing is touched, the counts are right, and an edited index equals a new one."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from ori_memory.index.index import open_index
from ori_memory.vault.making import adopt_vault

sys.path.insert(0, str(Path(__file__).parent))
from dumping import dump

NAMES = ("flancian-garden", "logseq-docs")

# Python before 3.11.4 knows no filters.
SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def data_folder() -> Path | None:
    named = os.environ.get("ORI_TEST_VAULTS")
    places = [Path(named)] if named else [up / "shared/data/vaults" for up in Path(__file__).resolve().parents]
    return next((place for place in places if place.is_dir()), None)


@pytest.fixture(params=NAMES)
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = data_folder()
    archive = None if folder is None else next(iter(folder.glob(f"{request.param}*.tar.gz")), None)
    if archive is None:
        pytest.skip(
            f"{request.param}*.tar.gz is neither in ORI_TEST_VAULTS nor in shared/data/vaults beside the repository"
        )
    with tarfile.open(archive) as file:
        file.extractall(tmp_path / "data", **SAFELY)
    inner = list((tmp_path / "data").iterdir())
    return inner[0] if len(inner) == 1 and inner[0].is_dir() else tmp_path / "data"


def digests(root: Path) -> dict[str, str]:
    files = (file for file in root.rglob("*") if file.is_file() and ".ori" not in file.parts)
    return {
        str(file.relative_to(root)): f"{hashlib.sha256(file.read_bytes()).hexdigest()} {file.stat().st_mtime_ns}"
        for file in files
    }


def without_code(text: str) -> str:
    """A deliberately simple second opinion: fences line by line, then inline code."""
    kept, fence, column = [], "", 0
    for line in text.expandtabs(4).splitlines():
        mark = re.match(r"[\s>]*(?:[-*+]\s+)*(`{3,}(?=[^`]*$)|~{3,})", line)
        # A fence in an item of a list ends with the item.
        if fence and line.strip() and len(line) - len(line.lstrip()) < column:
            fence = ""
        if mark and not fence:
            fence, column = mark[1], mark.start(1)
        elif mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not line.strip().strip(fence[0]):
            fence = ""
        elif not fence:
            kept.append(line)
    return re.sub(r"(`+)(?!`)[^\n]+?(?<!`)\1(?!`)", "", "\n".join(kept))


def test_the_vault_is_untouched_and_its_counts_agree_with_a_second_opinion(root: Path) -> None:
    vault = adopt_vault(root).vault
    before = digests(root)
    names = {
        unfolded
        for file in root.rglob("*.md")
        if not any(part.startswith(".") for part in file.relative_to(root).parts[:-1])
        for unfolded in [file.name[:-3].casefold() or file.name]
    }
    files = [
        file
        for file in root.rglob("*.md")
        if not any(part.startswith(".") for part in file.relative_to(root).parts[:-1])
        and not {"templates", "node_modules"} & set(file.relative_to(root).parts[:-1])
    ]
    wiki = [
        target.split("|")[0].split("#")[0].strip()
        for file in files
        for target in re.findall(
            r"\[\[([^\[\]\n]+)\]\]", without_code(file.read_text(encoding="utf-8", errors="replace"))
        )
    ]
    for file in files:
        for line in re.findall(
            r"(?mi)^(?:alias(?:es)?|title)::?(.*)$", file.read_text(encoding="utf-8", errors="replace")
        ):
            names |= {part.strip(" []\"'").casefold() for part in line.split(",")}
    with open_index(vault) as index:
        assert index.report.quarantined == ()
        assert index.counts().notes == len(files)
        links = [one for one in index.links() if one.link.kind in ("wiki", "embed")]
        links = [one for one in links if not one.link.target.startswith("((")]  # Of Logseq: a block by its id.
        # Two readings of the same rules may differ where code is unclosed or markup is broken: one in two hundred.
        assert abs(len(links) - len(wiki)) <= len(wiki) / 200
        plain = {target.casefold() for target in wiki if re.fullmatch(r"[\w ]+", target)}
        dangling = {one.target.casefold() for one in index.dangling() if re.fullmatch(r"[\w ]+", one.target)}
        loose = {re.sub(r"[\W_]+", "-", name) for name in names}
        expected = {target for target in plain if re.sub(r"[\W_]+", "-", target) not in loose}
        assert len(dangling ^ expected) <= len(expected) / 50
    assert digests(root) == before


def test_edits_of_a_real_vault_end_in_the_index_of_a_build_from_nothing(root: Path, tmp_path: Path) -> None:
    vault = adopt_vault(root).vault
    files = sorted(root.rglob("*.md"))
    with open_index(vault) as index:
        hub = max(
            files,
            key=lambda file: (
                len(index.backlinks(file.relative_to(root).as_posix())) if len(files) < 500 else file.stat().st_size
            ),
        )
        hub.rename(hub.with_name("a new name for it.md"))
        index.sync()
        (root / "agora and garden.md").write_text("[[a new name for it]] and knowledge", encoding="utf-8")
        index.sync()
        files[3].unlink(missing_ok=True)
        index.sync()
    built = tmp_path / "built"
    shutil.copytree(root, built)
    for file in (built / ".ori").glob("index*"):
        file.unlink()
    with open_index(adopt_vault(built).vault):
        pass
    one, other = dump(root / ".ori/index.db"), dump(built / ".ori/index.db")
    for table, rows in other.items():
        assert one[table] == rows, table

"""Real notes: none makes the parser fail, and the counts agree with a count by other means."""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ori_memory.model import LinkKind
from ori_memory.notes.parsing import parse_note
from ori_memory.notes.text import decode_note


def archives() -> list[Path]:
    named = os.environ.get("ORI_TEST_VAULTS")
    for folder in [Path(named)] if named else [parent / "shared/data/vaults" for parent in Path(__file__).parents]:
        if folder.is_dir():
            return sorted(folder.glob("*.tar.gz"))
    return []


def notes(archive: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(archive) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isfile() and member.name.endswith(".md") else None
            if content is not None:
                yield member.name, content.read()


@pytest.mark.skipif(not archives(), reason="no vaults: set ORI_TEST_VAULTS to a folder with *.tar.gz of notes")
def test_real_notes_are_read_whole_and_their_links_counted() -> None:
    for archive in archives():
        for name, data in notes(archive):
            note = decode_note(data)
            assert note.encode(note.text) == data, name
            parsed = parse_note(note.text, Path(name).stem)
            if any(sign in note.text for sign in "`~$%<\\\t") or "    " in note.text or note.text.startswith("---"):
                continue
            # `[[1]](https://...)` is a citation.
            written = re.findall(r"(?!\[\[\d+\]\]\(http)\[\[([^\[\]\n]+)\]\]", note.text)
            inner = [item.split("|")[0].strip() for item in written]
            expected = [
                item.split("#")[0].strip() if item.strip("# ")[-1:] and item[-1] != "#" else item for item in inner
            ]
            expected = [item for item, whole in zip(expected, inner, strict=True) if whole and "://" not in whole]
            links = [link for link in parsed.links if link.kind in (LinkKind.WIKI, LinkKind.EMBED)]
            assert [link.target for link in links if not link.target.startswith("((")] == expected, name

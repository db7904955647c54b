"""The contract of an importer as tests: subclass `ImporterSuite`, name the importer and a source that works.

class TestBookmarks(ImporterSuite):
    @pytest.fixture
    def importer(self) -> Importer:
        return Bookmarks()

    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        ...  # write an export and give its path
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

from aries_kernel.contracts.importer import ImportedFile, ImportedNote, Importer, Loss
from aries_kernel.errors import UserError

__all__ = ["ImporterSuite"]

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}\Z")


class ImporterSuite:
    """What every importer must keep; see the module for how to use it."""

    @pytest.fixture
    def importer(self) -> Importer:
        """The importer under test."""
        raise NotImplementedError("override the fixture `importer`")

    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        """An export from which something is imported."""
        raise NotImplementedError("override the fixture `source`")

    @pytest.fixture
    def items(self, importer: Importer, source: Path) -> list[ImportedNote | ImportedFile | Loss]:
        """Everything that the source gives."""
        return list(importer.read(source))

    def test_it_has_a_plain_name_a_description_and_a_folder(self, importer: Importer) -> None:
        assert _NAME.match(importer.name)
        assert importer.description.strip() == importer.description != ""
        assert _is_inside(importer.into)

    def test_the_source_gives_something(self, items: list[ImportedNote | ImportedFile | Loss]) -> None:
        assert any(not isinstance(item, Loss) for item in items)

    def test_reading_twice_gives_the_same_keys_and_texts(
        self, importer: Importer, source: Path, items: list[ImportedNote | ImportedFile | Loss]
    ) -> None:
        assert [_plain(item) for item in importer.read(source)] == [_plain(item) for item in items]

    def test_a_key_names_one_note_and_a_path_one_file(self, items: list[ImportedNote | ImportedFile | Loss]) -> None:
        keys = Counter(item.key for item in items if isinstance(item, ImportedNote))
        paths = Counter(item.path for item in items if isinstance(item, ImportedFile))
        assert [name for name, count in (keys + paths).items() if count > 1 or not name] == []

    def test_no_path_leads_out_of_the_folder_of_the_import(
        self, items: list[ImportedNote | ImportedFile | Loss]
    ) -> None:
        assert [one.path for one in items if isinstance(one, ImportedFile) and not _is_inside(one.path)] == []

    def test_titles_and_texts_can_be_written(self, items: list[ImportedNote | ImportedFile | Loss]) -> None:
        for item in items:
            if isinstance(item, ImportedNote):
                assert item.title.strip() and "\n" not in item.title
                assert f"{item.title}{item.body}".encode()
                assert not item.body.startswith("---\n"), "the body is markdown without frontmatter"

    def test_losses_say_what_and_why(self, items: list[ImportedNote | ImportedFile | Loss]) -> None:
        assert all(item.where.strip() and item.reason.strip() for item in items if isinstance(item, Loss))

    def test_reading_changes_nothing(self, importer: Importer, source: Path) -> None:
        before = _snapshot(source)
        list(importer.read(source))
        assert _snapshot(source) == before

    def test_reading_may_stop_after_the_first_item(self, importer: Importer, source: Path) -> None:
        given = importer.read(source)
        next(given)
        close = getattr(given, "close", None)
        if close is not None:
            close()

    def test_what_is_not_there_is_an_error_that_names_it(self, importer: Importer, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="no-such-export"):
            list(importer.read(tmp_path / "no-such-export"))

    def test_a_file_of_another_kind_is_an_error_or_a_loss(self, importer: Importer, tmp_path: Path) -> None:
        for name, data in (("a.zip", b""), ("b.zip", b"PK\x03\x04 broken"), ("c.json", b"\xff\xfe{"), ("d.txt", b"x")):
            file = tmp_path / "strangers" / name
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
            try:
                items = list(importer.read(file))
            except UserError as error:
                assert str(error).strip()
            else:
                assert all(isinstance(item, Loss) for item in items)


def _is_inside(path: str) -> bool:
    pure = PurePosixPath(path)
    return bool(path) and not pure.is_absolute() and ".." not in pure.parts and "\\" not in path and "\0" not in path


def _plain(item: ImportedNote | ImportedFile | Loss) -> object:
    if isinstance(item, ImportedFile):
        with item.open_bytes() as file:
            return item.path, item.is_note, file.read()
    return item


def _snapshot(source: Path) -> dict[str, tuple[int, int]]:
    files = [source, *sorted(source.rglob("*"))] if source.is_dir() else [source]
    return {str(file): (file.lstat().st_mtime_ns, file.lstat().st_size) for file in files}

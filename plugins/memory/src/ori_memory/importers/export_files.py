"""The JSON files of an export: in a zip, in the folder it was unpacked to, or the file itself."""

from __future__ import annotations

import contextlib
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from aries_kernel.contracts.importer import Loss
from aries_kernel.errors import UserError
from ori_memory.importers.json_stream import BrokenJson, array_elements

__all__ = ["export_elements", "problem_of"]

_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What `zipfile` raises for a damaged, encrypted or oddly packed member."""


def problem_of(error: BaseException) -> str:
    """What a reader is told of an error, in one clause."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).rstrip(".")


def export_elements(source: Path, name: re.Pattern[str], example: str) -> Iterator[tuple[str, object] | Loss]:
    """Every element of the JSON arrays in files of that `name`, with where it stands (`conversations.json[3]`).

    A file that breaks off gives a loss, and the next one is read.
    Raises: UserError where `source` is not there, or holds no such file.
    """
    if not source.exists():
        raise UserError(f"{source} is not there.")
    if source.is_dir():
        files = sorted(file for file in source.rglob("*.json") if file.is_file() and name.fullmatch(file.name))
        _require(files, source, example)
        for file in files:
            yield from _of_file(file, file.relative_to(source).as_posix())
    elif zipfile.is_zipfile(source):
        yield from _of_zip(source, name, example)
    elif source.suffix.lower() == ".zip":
        raise UserError(f"{source} is no zip archive, or a damaged one. Download the export again.")
    else:
        yield from _of_file(source, source.name)


def _of_zip(source: Path, name: re.Pattern[str], example: str) -> Iterator[tuple[str, object] | Loss]:
    try:
        with zipfile.ZipFile(source) as archive:
            members = sorted(one for one in archive.namelist() if name.fullmatch(one.rpartition("/")[2]))
            _require(members, source, example)
            for member in members:
                try:
                    with archive.open(member) as file:
                        for number, element in enumerate(array_elements(file)):
                            yield f"{member}[{number}]", element
                except (BrokenJson, OSError, *_DAMAGE) as error:
                    yield Loss(member, f"the rest of it cannot be read: {problem_of(error)}")
    except zipfile.BadZipFile as error:
        raise UserError(
            f"{source} is a damaged zip archive: {problem_of(error)}. Download the export again."
        ) from error
    except OSError as error:
        raise UserError(f"{source} cannot be read: {problem_of(error)}.") from error


def _of_file(file: Path, shown: str) -> Iterator[tuple[str, object] | Loss]:
    with contextlib.ExitStack() as stack:
        try:
            opened = stack.enter_context(file.open("rb"))
        except OSError as error:
            raise UserError(f"{file} cannot be read: {problem_of(error)}.") from error
        try:
            for number, element in enumerate(array_elements(opened)):
                yield f"{shown}[{number}]", element
        except (BrokenJson, OSError) as error:
            yield Loss(shown, f"the rest of it cannot be read: {problem_of(error)}")


def _require(found: object, source: Path, example: str) -> None:
    if not found:
        raise UserError(f"{source} holds no {example}. Give the export as it was downloaded, or the file itself.")

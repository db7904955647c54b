"""Files of one JSON object a line, plain or packed; every complaint names the file and the line."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from aries_kernel.errors import UserError

__all__ = ["DataSetError", "Row", "find_file", "read_rows"]


class DataSetError(UserError):
    """A data set that cannot be used as it is."""


def find_file(folder: Path, name: str) -> Path | None:
    """`NAME.jsonl` of the folder, or `NAME.jsonl.gz`; None where it has neither."""
    return next((place for ending in ("", ".gz") if (place := folder / f"{name}.jsonl{ending}").is_file()), None)


def read_rows(path: Path) -> Iterator[Row]:
    """The objects of a file; blank lines are passed over.

    Raises: DataSetError.
    """
    number = 0
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8-sig")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8-sig") as file
        ):
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield Row.parse(line, path, number)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataSetError(f"{path}, after line {number}: cannot be read: {error}.") from error


@frozen
class Row:
    """One object and where it stands."""

    fields: Mapping[str, object]
    path: Path
    line: int

    @classmethod
    def parse(cls, text: str, path: Path, line: int) -> Row:
        """Raises: DataSetError."""
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DataSetError(f"{path}, line {line}: this is no JSON: {error}.") from error
        if not isinstance(fields, dict):
            raise DataSetError(f"{path}, line {line}: an object is expected, as {{...}}.")
        return cls(fields, path, line)

    def wrong(self, what: str) -> DataSetError:
        """A complaint about this row."""
        return DataSetError(f"{self.path}, line {self.line}: {what}.")

    def name(self, key: str) -> str:
        """An id: a text or a whole number, which must be there.

        Raises: DataSetError.
        """
        if key not in self.fields:
            raise self.wrong(f"'{key}' is missing")
        return self._name(key, self.fields[key])

    def names(self, key: str) -> tuple[str, ...]:
        """A list of ids, each once; none where the field is missing.

        Raises: DataSetError.
        """
        value = self.fields.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self.wrong(f"'{key}' must be a list of ids")
        return tuple(dict.fromkeys(self._name(key, one) for one in value))

    def text(self, key: str) -> str:
        """A text that must be there.

        Raises: DataSetError.
        """
        if key not in self.fields:
            raise self.wrong(f"'{key}' is missing")
        return self.optional(key)

    def optional(self, key: str) -> str:
        """A text; empty where it is missing or null.

        Raises: DataSetError.
        """
        value = self.fields.get(key)
        if value is None:
            return ""
        if isinstance(value, bool | list | dict):
            raise self.wrong(f"'{key}' must be a text")
        return str(value).encode("utf-8", "replace").decode("utf-8")

    def _name(self, key: str, value: object) -> str:
        if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
            raise self.wrong(f"'{key}' must hold ids: texts or numbers")
        return str(value)

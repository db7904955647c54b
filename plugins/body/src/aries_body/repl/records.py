"""What operations return: rows that may be read by key and by attribute."""

from __future__ import annotations

from typing import Any

from aries_kernel.contracts.body import ROWS

__all__ = ["Record", "Rows", "as_records"]


class Record(dict[str, Any]):
    """A dictionary whose keys are attributes too, so that neither way of reading it fails."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no {name!r}; it has {', '.join(self) or 'nothing'}") from None

    def __missing__(self, name: str) -> Any:
        raise KeyError(f"{name}; it has {', '.join(self) or 'nothing'}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]


class Rows(list[Any]):
    """A list that knows how many rows there are in all, and what a reader should know of them."""

    __slots__ = ("note", "total")

    def __init__(self, rows: list[Any], total: int, note: str) -> None:
        super().__init__(rows)
        self.total, self.note = total, note

    @property
    def told(self) -> str:
        """What stands behind the rows where they are shown: an empty list alone would be taken for an answer."""
        more = f"{len(self)} of {self.total}" if self.total > len(self) else ""
        said = "; ".join(filter(None, (more, self.note)))
        return f" ({said})" if said else ""

    def __repr__(self) -> str:
        return super().__repr__() + self.told


def as_records(value: Any) -> Any:
    """JSON with records in place of its dictionaries, and rows in place of what `as_rows` made."""
    if isinstance(value, dict) and ROWS in value:
        return Rows([as_records(one) for one in value[ROWS]], value["total"], value["note"])
    if isinstance(value, dict):
        return Record({key: as_records(one) for key, one in value.items()})
    if isinstance(value, list):
        return [as_records(one) for one in value]
    return value

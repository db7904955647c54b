"""What operations return: rows that may be read by key and by attribute."""

from __future__ import annotations

from typing import Any

__all__ = ["Record", "as_records"]


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


def as_records(value: Any) -> Any:
    """JSON with records in place of its dictionaries."""
    if isinstance(value, dict):
        return Record({key: as_records(one) for key, one in value.items()})
    if isinstance(value, list):
        return [as_records(one) for one in value]
    return value

"""What a tool has to tell, before it is cut to the budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

__all__ = ["Call", "Told"]


@frozen
class Call:
    """Who asks: kept with what use of a note teaches, and with notes that are added."""

    client: str = ""
    session: str = ""
    is_given_up: Callable[[], bool] = lambda: False
    """Whether the client has cancelled it meanwhile: what has not begun then never does."""


@frozen
class Told:
    """The document that the command line prints for the same question."""

    data: Any
    warnings: tuple[str, ...] = ()
    is_good: bool = True
    """False: it was done and found something wrong, as validating does; that is no error of the call."""
    lists: tuple[str, ...] = ()
    """Parts of `data` that may be long, in the order in which they are paged."""

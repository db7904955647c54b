"""The names that user code finds: built in the body from the table of operations."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from attrs import frozen

from aries_body.process.link import HostRefused, Link
from aries_body.repl.api import find
from aries_body.repl.records import as_records
from aries_kernel.contracts.body import Group, Operation

__all__ = ["HostError", "NotHere", "Session", "build", "note_for"]


class HostError(Exception):
    """The host could not do it or was not allowed to; the message says which and why."""

    __module__ = "__main__"


class NotHere(Exception):
    """What was asked for is not part of this body; the message says why."""

    __module__ = "__main__"


@frozen
class Session:
    """What a group's factory gets."""

    link: Link
    groups: Sequence[Group]
    group: Group
    project: str
    is_replaying: Callable[[], bool]
    """Whether bindings are being brought back: nothing may be asked of the host then."""

    def ask_host(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Have the host do an operation.

        Raises: HostError; KeyboardInterrupt where the execution was stopped meanwhile, as for a wait of any other kind.
        """
        if self.is_replaying():
            raise HostError(f"{name} is not called again while variables are brought back.")
        try:
            return as_records(self.link.request(name, arguments))
        except HostRefused as error:
            if error.kind == "cancelled":
                raise KeyboardInterrupt from None  # The signal is on its way, and no more code may run until it comes.
            raise HostError(str(error)) from None
        except (TypeError, ValueError) as error:
            raise TypeError(f"{name}: the arguments must be plain values (text, numbers, lists ...): {error}") from None

    def call(self, operation: Operation) -> Callable[..., Any]:
        """A function with the operation's signature that the host answers."""
        return _proxy(self, self.group, operation)


class Operations:
    """A group whose operations are all the host's."""

    def __init__(self, session: Session) -> None:
        self._name = session.group.name
        for operation in session.group.operations:
            setattr(self, operation.name, session.call(operation))

    def __repr__(self) -> str:
        return f"<{self._name}; help({self._name!r}) lists its operations>"


class Absent:
    """Stands where a group would be, and says why it is not there."""

    def __init__(self, group: Group) -> None:
        self._group = group

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotHere(f"{self._group.name} is not here: {self._group.absent}")

    def __repr__(self) -> str:
        return f"<{self._group.name}: not here. {self._group.absent}>"


def build(link: Link, groups: Sequence[Group], project: str, is_replaying: Callable[[], bool]) -> dict[str, Any]:
    """The names and what stands for them."""
    found: dict[str, Any] = {"HostError": HostError, "NotHere": NotHere}
    for group in groups:
        session = Session(link, groups, group, project, is_replaying)
        if group.absent is not None:
            made: Any = Absent(group)
        elif group.factory is None:
            made = Operations(session)
        else:
            module, _, name = group.factory.partition(":")
            made = getattr(importlib.import_module(module), name)(session)
        if group.name:
            found[group.name] = made
        else:
            found.update(cast(Mapping[str, Any], made))
    return found


def note_for(groups: Sequence[Group], line: str) -> str | None:
    """What the last operation named on a line returns, and how it is called; None where none is named."""
    best, where = None, -1
    for group in groups:
        for operation in group.operations:
            full = group.full_name(operation)
            at = line.rfind(f"{full}(")
            if at > where and (at == 0 or not (line[at - 1].isalnum() or line[at - 1] in "._")):
                best, where = find(groups, full), at
    if best is None or best.operation is None:
        return None
    return f"{best.group.full_name(best.operation)}{best.operation.signature} -> {best.operation.returns}"


def _proxy(session: Session, group: Group, operation: Operation) -> Callable[..., Any]:
    """A real function, so that wrong arguments fail as they do with any other."""
    full = group.full_name(operation)
    space: dict[str, Any] = {"_ask": session.ask_host}
    body = f"def {operation.name}{operation.signature}:\n    return _ask({full!r}, dict(locals()))"
    exec(compile(body, f"<{full}>", "exec"), space)
    made = cast(Callable[..., Any], space[operation.name])
    made.__doc__ = f"{operation.summary}\n\nReturns {operation.returns}."
    made.__qualname__ = full
    return made

"""`say`, `ask`, `done` and `help`."""

from __future__ import annotations

import json
from typing import Any

from aries_body.process.frames import BrokenFrame
from aries_body.repl.api import find, stub
from aries_body.repl.display import short_repr
from aries_body.repl.namespace import HostError, Session

__all__ = ["Done", "speaking"]

_MOST_SAID = 100
_LONGEST_SAID = 20_000


class Done(BaseException):
    """`done` was called: the execution ends here. Not an Exception, so that no handler takes it for one."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


def speaking(session: Session) -> dict[str, Any]:
    """The functions, by name."""
    said = {"execution": 0, "count": 0}

    def say(text: object) -> None:
        """Show the person a text now."""
        if said["execution"] != session.link.execution:
            said.update(execution=session.link.execution, count=0)
        said["count"] += 1
        if said["count"] > _MOST_SAID:
            raise HostError(f"say was called more than {_MOST_SAID} times in one execution; print goes to the answer.")
        session.link.send("say", session.link.execution, text=str(text)[:_LONGEST_SAID])

    def ask(question: object) -> str:
        """Ask the person and wait for the answer."""
        return str(session.ask_host("ask", {"question": str(question)}))

    def done(value: object = None) -> None:
        """Give the final answer and end this execution."""
        raise Done(_plain(value))

    def helping(what: object = None) -> None:
        """Print what is known about a name, or about everything."""
        if what is None:
            print(stub(session.groups))
            return
        name = what if isinstance(what, str) else _name_of(what)
        found = find(session.groups, name)
        if found is None:
            import pydoc

            print(pydoc.plain(pydoc.render_doc(what)) if not isinstance(what, str) else _unknown(session, what))
        elif found.operation is None:
            print(stub([found.group]))
        else:
            one = found.operation
            print(f"{name}{one.signature} -> {one.returns}\n{one.summary}")
            print(f"Cost: {one.cost}. Effects: {', '.join(one.effects)}.")

    helping.__name__ = "help"
    return {"say": say, "ask": ask, "done": done, "help": helping}


def _name_of(what: object) -> str:
    """The full name of a group or an operation, given as the object."""
    owner = getattr(what, "__self__", None)
    if owner is not None and isinstance(getattr(owner, "_name", None), str):
        return f"{owner._name}.{getattr(what, '__name__', '')}"
    return str(getattr(what, "_name", None) or getattr(what, "__qualname__", "").removeprefix("speaking.<locals>."))


def _unknown(session: Session, name: str) -> str:
    import difflib

    known = [group.full_name(one) for group in session.groups for one in group.operations]
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    return f"There is no {name!r}. {'Near it: ' + ', '.join(near) if near else 'help() lists everything'}."


def _plain(value: object) -> Any:
    """The value as JSON would hold it, its short text where it would not."""
    try:
        text = json.dumps(value, allow_nan=False)
        return json.loads(text) if len(text) <= 1_000_000 else short_repr(value)
    except (TypeError, ValueError, RecursionError, BrokenFrame):
        return short_repr(value)

"""One hook of one plugin, ready to be called alone."""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.discovery.answers import refuse_suspended
from aries_kernel.discovery.entry import Entry

if TYPE_CHECKING:
    import pluggy

__all__ = ["Implementation", "implementation_of"]


@frozen
class Implementation:
    """A plugin's function for a hook. `rank` orders answers where the first one decides."""

    hook: str
    entry: Entry
    function: Callable[..., object]
    arguments: tuple[str, ...] | None
    """The arguments it takes; None: all there are."""
    rank: int

    def call(self, values: Mapping[str, object]) -> object:
        """The plugin's answer. Raises: whatever the plugin raises; Fault where it is asynchronous."""
        names = values if self.arguments is None else self.arguments
        # Standard output of the host may be one JSON document.
        with contextlib.redirect_stdout(sys.stderr):
            answer = self.function(**{name: values[name] for name in names if name in values})
            refuse_suspended(answer)
        return answer


def implementation_of(known: pluggy.HookImpl, hook: str, manager: pluggy.PluginManager) -> Implementation:
    """What pluggy knows about a function, with the entry point it came from."""
    entries: Mapping[str, Entry] = getattr(manager, "entries", {})
    # The host may register objects of its own, which no entry point names.
    entry = entries.get(known.plugin_name) or Entry("aries.plugins", known.plugin_name, "", known.plugin_name, "")
    parameters = inspect.signature(known.function).parameters.values()
    takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters)
    names = tuple(one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY))
    rank = 0 if known.tryfirst else 2 if known.trylast else 1
    return Implementation(hook, entry, known.function, None if takes_all else names, rank)

"""Registering hook plugins with pluggy, each alone, so that a wrong one leaves the others working."""

from __future__ import annotations

import contextlib
import difflib
import inspect
import sys
from collections.abc import Callable, Iterator
from types import FunctionType

import pluggy

from aries_kernel import hookspecs
from aries_kernel.discovery.drivers import Drivers
from aries_kernel.discovery.entry import Entry
from aries_kernel.discovery.index import Index
from aries_kernel.discovery.report import Report, described_error
from aries_kernel.errors import PluginError

__all__ = ["GROUP", "HookManager", "load_hooks"]

GROUP = "aries.plugins"


class HookManager(pluggy.PluginManager):
    """A plugin manager with our hooks; `entries` says which entry point a registered name stands for."""

    def __init__(self) -> None:
        super().__init__(hookspecs.PROJECT)
        self.entries: dict[str, Entry] = {}
        self.add_hookspecs(hookspecs)


class _Misfit(Exception):
    """What is wrong with a plugin, told with what would be right."""


def load_hooks(index: Index, report: Report) -> HookManager:
    """Every enabled plugin of `aries.plugins`: a module, an instance, or a class that is made without arguments.

    One that cannot be imported or made, or has a wrong hook, goes into the report; the rest goes on.
    """
    manager = HookManager()
    drivers = Drivers(index, report)
    for entry in index.enabled(GROUP):
        try:
            with contextlib.redirect_stdout(sys.stderr):
                _register(manager, entry, drivers.load(GROUP, entry.name))
        except KeyboardInterrupt:
            raise
        except PluginError:
            continue  # The drivers put it into the report.
        except _Misfit as error:
            report.blame(entry, str(error))
        except BaseException as error:
            report.blame(entry, f"making it failed: {described_error(error)}")
    return manager


def _register(manager: HookManager, entry: Entry, loaded: object) -> None:
    if isinstance(loaded, FunctionType):
        raise _Misfit(f"'{entry.value}' is a function; it must be a module, a class or an instance with hooks")
    plugin = loaded() if inspect.isclass(loaded) else loaded
    if plugin is None:
        raise _Misfit(f"'{entry.value}' is None; it must be a module, a class or an instance with hooks")
    for problem in _problems(manager, plugin):
        raise _Misfit(problem)
    name = f"{entry.distribution}/{entry.name}"
    try:
        manager.register(plugin, name)
    except ValueError as error:
        raise _Misfit(f"'{entry.value}' is registered already, by another entry point") from error
    manager.entries[name] = entry


def _problems(manager: HookManager, plugin: object) -> Iterator[str]:
    """What pluggy would take without a word and never call as its author meant."""
    marked = 0
    for attribute in dir(plugin):
        options = manager.parse_hookimpl_opts(plugin, attribute)
        if options is None:
            if attribute in hookspecs.HOOKS:
                yield f"{attribute} is not marked; put @hookimpl of aries_kernel.hookspecs above it"
            continue
        marked += 1
        hook = options.get("specname") or attribute
        if hook not in hookspecs.HOOKS:
            if not options.get("optionalhook"):
                yield _unknown_hook(hook)
        else:
            yield from _wrong_arguments(hook, getattr(plugin, attribute))
        if options.get("wrapper") or options.get("hookwrapper"):
            yield f"{attribute} is a wrapper; each plugin is called alone, so there is nothing to wrap"
    if not marked:
        yield "it has no hooks; mark functions with @hookimpl of aries_kernel.hookspecs"


def _unknown_hook(name: str) -> str:
    close = difflib.get_close_matches(name, hookspecs.HOOKS, n=1, cutoff=0.6)
    hint = f" Did you mean {hookspecs.signature(close[0])}?" if close else ""
    return f"there is no hook '{name}'.{hint} Known: {', '.join(hookspecs.HOOKS)}"


def _wrong_arguments(hook: str, function: Callable[..., object]) -> Iterator[str]:
    known = inspect.signature(getattr(hookspecs, hook)).parameters
    for one in inspect.signature(function).parameters.values():
        if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
            continue
        if one.kind is one.POSITIONAL_ONLY:
            yield f"{hook}: its argument '{one.name}' must not be positional-only, arguments come by name"
        elif one.name not in known and one.default is one.empty:
            yield f"{hook} has no argument '{one.name}'; it is {hookspecs.signature(hook)}"

"""`aries doctor`: does everything that a session needs work here?"""

from __future__ import annotations

import asyncio
import functools
import json
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from typing import Literal, cast

import click
from attrs import asdict, frozen

from aries_cli.opening import Flags, make_host, real_surroundings
from aries_cli.sessions import open_store
from aries_kernel import __version__
from aries_kernel.contracts.check import Check
from aries_kernel.errors import AriesError, PluginError
from aries_kernel.host import Host, Surroundings
from aries_kernel.router.route import Route, SlotName
from aries_kernel.router.router import SLOTS, Router

__all__ = ["doctor"]

Grade = Literal["ok", "note", "wrong"]


@frozen
class Finding:
    """One thing that was looked at."""

    grade: Grade
    what: str
    text: str


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def doctor(flags: Flags, as_json: bool) -> int:
    """Check the settings, the model, the plugins and this machine."""
    findings = list(_examine(flags))
    if as_json:
        click.echo(json.dumps([asdict(one) for one in findings], indent=2, ensure_ascii=False))
    else:
        for one in findings:
            click.echo(f"{one.grade:5}  {one.what}: {one.text}")
    return 1 if any(one.grade == "wrong" for one in findings) else 0


def _examine(flags: Flags) -> Iterator[Finding]:
    surroundings = real_surroundings()
    yield Finding("ok", "aries", f"{__version__} on Python {platform.python_version()}, {platform.system()}")
    yield _try("state folder", lambda: _state(surroundings))
    try:
        host = make_host(flags, surroundings)
    except AriesError as error:
        yield from (Finding("wrong", "settings", line) for line in str(error).splitlines())
        return
    yield Finding("ok", "settings", f"{len(host.loaded.layers)} layers read")
    yield from (Finding("note", "settings", warning) for warning in host.loaded.warnings)
    yield _try("permissions", lambda: _permissions(host))
    yield from _models(host)
    yield from _plugins(host)
    yield from _tools(host)
    yield from _checks(host)
    yield from _programs(surroundings)
    yield _encoding()


def _try(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding("ok", what, check())
    except (AriesError, OSError) as error:
        return Finding("wrong", what, str(error))


def _state(surroundings: Surroundings) -> str:
    folder = surroundings.state_folder / "sessions"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} cannot be written")
    found = open_store(surroundings).summaries()
    broken = [one.id for one in found if one.problem]
    more = f"; not readable: {', '.join(broken)}" if broken else ""
    return f"{folder}, {len(found)} sessions{more}"


def _permissions(host: Host) -> str:
    from aries_kernel.broker.policy import Policy

    permissions = host.loaded.settings.permissions
    Policy.make(permissions, host.workspace)
    rules = len(permissions.allow) + len(permissions.ask) + len(permissions.deny)
    return f"mode {permissions.mode}, {rules} rules; commands are not confined by the operating system"


def _models(host: Host) -> Iterator[Finding]:
    router = host.router()
    for slot in SLOTS:
        if router.configured(slot) == slot:
            known = len(host.warnings)
            yield _try(f"model, {slot}", functools.partial(_model, router, slot))
            yield from (Finding("note", f"model, {slot}", warning) for warning in host.warnings[known:])


def _model(router: Router, slot: SlotName) -> str:
    route = router.route(slot)
    # A server on this machine is asked whether it is there; no other one is.
    router.warnings.extend(asyncio.run(_looked_at(router, route)))
    info = route.current.model
    window = f"{route.window:,} tokens" if route.window else "not known"
    others = "".join(f", then {one.spec}" for one in route.candidates[1:])
    return f"{route.current.spec}{others}, window {window}, price {'known' if info.price else 'not known'}"


async def _looked_at(router: Router, route: Route) -> tuple[str, ...]:
    try:
        return await route.current.look_ahead()
    finally:
        await router.close()


def _plugins(host: Host) -> Iterator[Finding]:
    problems = host.plugins.check()
    yield from (Finding("wrong", "plugin", str(problem)) for problem in problems)
    if not problems:
        yield Finding("ok", "plugins", f"{len(host.plugins.entries())} entry points, all load")


def _tools(host: Host) -> Iterator[Finding]:
    """Tools that the settings do not reach for."""
    exposure = host.exposure(host.surroundings.state_folder / "spill")
    exposure.hidden()
    for name, error in sorted(exposure.toolbox.wanting.items()):
        yield Finding("wrong" if error.is_mistake else "note", f"tool {name}", str(error))


def _checks(host: Host) -> Iterator[Finding]:
    """What plugins look at."""
    drivers = host.plugins.drivers
    for name in drivers.names("aries.checks"):
        try:
            check = cast(Check, drivers.load("aries.checks", name))
            yield from (Finding(one.grade, name, one.text) for one in check(host.surroundings.environ))
        except PluginError:
            continue  # named above: it does not load
        except Exception as error:  # A defect of the plugin; what else there is to say is still said.
            yield Finding("wrong", name, f"the check failed inside: {type(error).__name__}: {error}")


def _programs(surroundings: Surroundings) -> Iterator[Finding]:
    path = surroundings.environ.get("PATH")
    for program, without in (
        ("git", "history and ignore rules of repositories are not used"),
        ("rg", "Grep searches with its own, slower engine"),
        ("bash", "Bash uses sh, or does not work"),
    ):
        found = shutil.which(program, path=path)
        yield Finding("ok" if found else "note", program, found or f"not installed: {without}")


def _encoding() -> Finding:
    encoding = sys.stdout.encoding or "none"
    is_fine = encoding.lower().replace("-", "") == "utf8"
    return Finding("ok" if is_fine else "note", "terminal", f"output is written as {encoding}")

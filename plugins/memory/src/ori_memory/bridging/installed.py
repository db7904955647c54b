"""The bridges that are installed here, what each is asked for, and what is in force."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.contracts.bridge import Activation, Bridge, BridgeState, Scope, Setting
from aries_kernel.errors import PluginError, UserError
from ori_memory.bridging.command_words import own_command
from ori_memory.bridging.receipts import Receipts
from ori_memory.vault.finding import NoVault, find_vault
from ori_memory.vault.marker import GLOBAL_NAME, is_vault

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from aries_kernel.discovery.registry import Plugins
    from ori_memory.app import Context

__all__ = ["Row", "load_bridge", "make_missing_vault", "receipts", "setting_for", "states"]

_GROUP = "ori.bridges"


@frozen
class Row:
    """One client at one scope."""

    target: str
    scope: Scope
    is_in_force: bool
    """It is what the client uses here: a project comes before everywhere."""
    state: BridgeState


def load_bridge(plugins: Plugins, name: str) -> Bridge:
    """The bridge of that name. Raises: UnknownName, PluginError."""
    found = plugins.drivers.load(_GROUP, name)
    bridge: Bridge = found() if isinstance(found, type) else found  # type: ignore[assignment]  # a contract
    return bridge


def receipts(context: Context) -> Receipts:
    """Where what was is kept."""
    import platformdirs

    return Receipts(platformdirs.user_state_path("ori", appauthor=False) / "bridges")


def setting_for(
    bridge: Bridge, context: Context, scope: Scope | None, activation: Activation | None
) -> tuple[Setting, list[str]]:
    """What is asked for, with the vault found, and warnings.

    Raises: UserError for a vault that is named and is none, and for a scope that the client does not have.
    """
    chosen = scope or bridge.scopes[0]
    if chosen not in bridge.scopes:
        raise UserError(f"{bridge.title} is configured at the scope {bridge.scopes[0]} only.")
    vault, warnings = _vault(context, chosen)
    setting = Setting(
        scope=chosen,
        project=context.cwd,
        home=context.home,
        command=own_command(),
        vault=vault,
        activation=activation or bridge.default_activation,
        environ=dict(os.environ),
    )
    return setting, warnings


def make_missing_vault(setting: Setting) -> list[str]:
    """The global vault, where it is meant and there is none; gives what to tell. Raises: UserError."""
    if setting.vault is None or is_vault(setting.vault):
        return []
    from ori_memory.vault.making import init_vault

    init_vault(setting.vault)
    return [f"{setting.vault} is a new vault, since there was none."]


def states(plugins: Plugins, context: Context, names: Iterable[str]) -> tuple[list[Row], list[str]]:
    """What is installed, at both scopes, and what could not be looked at."""
    rows: list[Row] = []
    warnings: list[str] = []
    for name in names:
        try:
            bridge = load_bridge(plugins, name)
            found = []
            for scope in sorted(bridge.scopes, reverse=True):
                # A project first.
                setting = Setting(scope, context.cwd, context.home, own_command(), environ=dict(os.environ))
                found.append((scope, bridge.status(setting)))
        except PluginError as error:
            warnings.append(str(error))
            continue
        force = next((scope for scope, state in found if state.is_installed), None)
        rows += [Row(name, scope, scope == force, state) for scope, state in found]
    return rows, warnings


def _vault(context: Context, scope: Scope) -> tuple[Path | None, list[str]]:
    """The one that is named, else the global one for everywhere, else the project's."""
    if context.vault_flag:
        return find_vault(context.vault_flag, {}, context.cwd, context.home).vault.root.resolve(), []
    home = context.home / GLOBAL_NAME
    if scope == "global":
        return home, []
    try:
        return find_vault(None, {}, context.cwd, context.home / "nowhere").vault.root.resolve(), []
    except NoVault:
        return None, [
            "There is no vault in this folder or above it, so the server looks for one when it starts: ORI_VAULT, "
            f"then {home}. To name one: --vault DIR."
        ]

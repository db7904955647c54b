"""The embedder that a vault names, or why there is none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ori_memory.cache_folder import cache_folder
from ori_memory.vault.options import plugin_options

if TYPE_CHECKING:
    from aries_kernel.contracts.embedder import Embedder, EmbedderFactory
    from ori_memory.vault.vault import Vault

__all__ = ["load_embedder"]

GROUP = "ori.embedders"


def load_embedder(vault: Vault) -> Embedder | str:
    """What `embedding.embedder` names, made with `embedding.options`; its model is not loaded yet.

    A text, in one sentence, where there is none: no setting, no such plugin, or one that fails.
    Raises: ConfigError for options that the embedder does not take.
    """
    from aries_kernel.contracts.embedder import EmbedderContext
    from aries_kernel.errors import PluginError, UnknownName
    from ori_memory.app import plugins

    name = vault.config.embedding.embedder
    if not name:
        return "No embedder is set (embedding.embedder in ori.config.yaml)."
    try:
        factory: EmbedderFactory = plugins().drivers.load(GROUP, name)  # type: ignore[assignment]  # a contract
    except (UnknownName, PluginError) as error:
        return str(error)
    given = vault.config.embedding.options.get(name, {})
    options = plugin_options(vault.root, ("embedding", "options", name), factory.options_type, given)
    cache = cache_folder() / "embedders" / name
    try:
        return factory(EmbedderContext(options=options, cache_folder=cache, environ=os.environ))
    except Exception as error:  # Foreign code.
        return f"The embedder '{name}' cannot be made: {type(error).__name__}: {error}."

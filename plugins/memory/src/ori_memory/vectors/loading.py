"""tmp"""

from __future__ import annotations

__all__ = ["load_embedder"]


def load_embedder(vault):
    import os

    import platformdirs

    from aries_kernel.contracts import EmbedderContext
    from ori_memory.app import plugins

    f = plugins().drivers.load("ori.embedders", "minilm")
    return f(EmbedderContext(f.options_type(), platformdirs.user_cache_path("ori", appauthor=False), os.environ))

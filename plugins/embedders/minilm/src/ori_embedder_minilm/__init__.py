"""Texts as vectors by all-MiniLM-L6-v2, in process, without a download and without torch."""

from ori_embedder_minilm.embedder import MiniLm, Options

__all__ = ["MiniLm", "Options"]

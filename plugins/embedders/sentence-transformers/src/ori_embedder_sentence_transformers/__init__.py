"""Texts as vectors by any model of sentence-transformers, on a GPU where there is one."""

from ori_embedder_sentence_transformers.embedder import SentenceTransformers
from ori_embedder_sentence_transformers.options import Options

__all__ = ["Options", "SentenceTransformers"]

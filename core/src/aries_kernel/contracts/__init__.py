"""The contracts plugins implement, one Protocol a file."""

from aries_kernel.contracts.corpus import Corpus, Figures, NoteView, Place, Tie, Vectors
from aries_kernel.contracts.embedder import Embedder, EmbedderContext, EmbedderFactory
from aries_kernel.contracts.importer import ImportedFile, ImportedNote, Importer, Loss
from aries_kernel.contracts.provider import Provider, ProviderContext, ProviderFactory
from aries_kernel.contracts.retrieval import (
    Found,
    Intent,
    Period,
    Question,
    Scores,
    Signal,
    SignalFactory,
    Skipped,
    Stage,
    StageFactory,
)
from aries_kernel.contracts.tool import Tool, ToolContext, ToolFactory, ToolOutput

__all__ = [
    "Corpus",
    "Embedder",
    "EmbedderContext",
    "EmbedderFactory",
    "Figures",
    "Found",
    "ImportedFile",
    "ImportedNote",
    "Importer",
    "Intent",
    "Loss",
    "NoteView",
    "Period",
    "Place",
    "Provider",
    "ProviderContext",
    "ProviderFactory",
    "Question",
    "Scores",
    "Signal",
    "SignalFactory",
    "Skipped",
    "Stage",
    "StageFactory",
    "Tie",
    "Tool",
    "ToolContext",
    "ToolFactory",
    "ToolOutput",
    "Vectors",
]

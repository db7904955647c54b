"""The contracts plugins implement, one Protocol a file."""

from aries_kernel.contracts.embedder import Embedder, EmbedderContext, EmbedderFactory
from aries_kernel.contracts.importer import ImportedFile, ImportedNote, Importer, Loss
from aries_kernel.contracts.provider import Provider, ProviderContext, ProviderFactory
from aries_kernel.contracts.tool import Tool, ToolContext, ToolFactory, ToolOutput

__all__ = [
    "Embedder",
    "EmbedderContext",
    "EmbedderFactory",
    "ImportedFile",
    "ImportedNote",
    "Importer",
    "Loss",
    "Provider",
    "ProviderContext",
    "ProviderFactory",
    "Tool",
    "ToolContext",
    "ToolFactory",
    "ToolOutput",
]

"""The contracts plugins implement, one Protocol a file; each is imported when it is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aries_kernel.contracts.body import Group, GroupContext, GroupFactory, GroupProvider, Operation
    from aries_kernel.contracts.bridge import (
        Activation,
        Bridge,
        BridgeState,
        ClientCheck,
        FileEdit,
        Plan,
        Scope,
        Setting,
    )
    from aries_kernel.contracts.check import Check, Checked
    from aries_kernel.contracts.command import CommandContext
    from aries_kernel.contracts.corpus import Corpus, Credit, Earlier, Figures, NoteView, Place, Tie, Vectors
    from aries_kernel.contracts.embedder import Embedder, EmbedderContext, EmbedderFactory
    from aries_kernel.contracts.evidence import (
        Evidence,
        EvidenceFactory,
        NoteNamed,
        NoteOpened,
        NoteText,
        NoteWritten,
        QuestionAsked,
        TextSaid,
        Use,
        UseJournal,
    )
    from aries_kernel.contracts.importer import ImportedFile, ImportedNote, Importer, Loss
    from aries_kernel.contracts.language import (
        Export,
        FileFacts,
        Import,
        LanguagePack,
        Missing,
        OtherLanguage,
        Project,
        Reference,
        Resolver,
        Symbol,
        Target,
    )
    from aries_kernel.contracts.lexis import Lexis
    from aries_kernel.contracts.provider import Provider, ProviderContext, ProviderFactory
    from aries_kernel.contracts.references import Asking, References
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
    from aries_kernel.contracts.tool import (
        HasSection,
        HasStatus,
        InnerCalls,
        ModelSaid,
        PluginSource,
        Tool,
        ToolContext,
        ToolFactory,
        ToolOutput,
    )

__all__ = [
    "Activation",
    "Asking",
    "Bridge",
    "BridgeState",
    "Check",
    "Checked",
    "ClientCheck",
    "CommandContext",
    "Corpus",
    "Credit",
    "Earlier",
    "Embedder",
    "EmbedderContext",
    "EmbedderFactory",
    "Evidence",
    "EvidenceFactory",
    "Export",
    "Figures",
    "FileEdit",
    "FileFacts",
    "Found",
    "Group",
    "GroupContext",
    "GroupFactory",
    "GroupProvider",
    "HasSection",
    "HasStatus",
    "Import",
    "ImportedFile",
    "ImportedNote",
    "Importer",
    "InnerCalls",
    "Intent",
    "LanguagePack",
    "Lexis",
    "Loss",
    "Missing",
    "ModelSaid",
    "NoteNamed",
    "NoteOpened",
    "NoteText",
    "NoteView",
    "NoteWritten",
    "Operation",
    "OtherLanguage",
    "Period",
    "Place",
    "Plan",
    "PluginSource",
    "Project",
    "Provider",
    "ProviderContext",
    "ProviderFactory",
    "Question",
    "QuestionAsked",
    "Reference",
    "References",
    "Resolver",
    "Scope",
    "Scores",
    "Setting",
    "Signal",
    "SignalFactory",
    "Skipped",
    "Stage",
    "StageFactory",
    "Symbol",
    "Target",
    "TextSaid",
    "Tie",
    "Tool",
    "ToolContext",
    "ToolFactory",
    "ToolOutput",
    "Use",
    "UseJournal",
    "Vectors",
]

_HOMES = {
    "body": ("Group", "GroupContext", "GroupFactory", "GroupProvider", "Operation"),
    "check": ("Check", "Checked"),
    "command": ("CommandContext",),
    "bridge": ("Activation", "Bridge", "BridgeState", "ClientCheck", "FileEdit", "Plan", "Scope", "Setting"),
    "corpus": ("Corpus", "Credit", "Earlier", "Figures", "NoteView", "Place", "Tie", "Vectors"),
    "embedder": ("Embedder", "EmbedderContext", "EmbedderFactory"),
    "evidence": (
        "Evidence",
        "EvidenceFactory",
        "NoteNamed",
        "NoteOpened",
        "NoteText",
        "NoteWritten",
        "QuestionAsked",
        "TextSaid",
        "Use",
        "UseJournal",
    ),
    "importer": ("ImportedFile", "ImportedNote", "Importer", "Loss"),
    "language": (
        "Export",
        "FileFacts",
        "Import",
        "LanguagePack",
        "Missing",
        "OtherLanguage",
        "Project",
        "Reference",
        "Resolver",
        "Symbol",
        "Target",
    ),
    "lexis": ("Lexis",),
    "provider": ("Provider", "ProviderContext", "ProviderFactory"),
    "references": ("Asking", "References"),
    "retrieval": (
        "Found",
        "Intent",
        "Period",
        "Question",
        "Scores",
        "Signal",
        "SignalFactory",
        "Skipped",
        "Stage",
        "StageFactory",
    ),
    "tool": (
        "HasSection",
        "HasStatus",
        "InnerCalls",
        "ModelSaid",
        "PluginSource",
        "Tool",
        "ToolContext",
        "ToolFactory",
        "ToolOutput",
    ),
}


def __getattr__(name: str) -> object:
    # Whoever needs one contract does not pay for all: a quick command has a tenth of a second.
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

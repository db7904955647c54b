"""Every key that a settings file may hold, with its default. A key that nothing reads does not belong here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import attrs
from attrs import frozen

from aries_kernel.model.session import Overview

__all__ = [
    "Body",
    "Budget",
    "Compaction",
    "Instructions",
    "Local",
    "LocalModel",
    "Models",
    "OutputLimits",
    "Permissions",
    "Phase",
    "PluginSwitches",
    "Retry",
    "Search",
    "Settings",
    "Slot",
    "ToolMode",
    "ToolModes",
    "Web",
    "WorkspaceSettings",
]

Mode = Literal["ask", "edits", "read-only", "all"]
Effort = Literal["low", "medium", "high", "max"]


def _key(
    text: str,
    default: Any,
    *,
    user_only: bool = False,
    adds: bool = False,
    least: float | None = None,
    most: float | None = None,
) -> Any:
    """A settings key. `user_only`: ignored, with a warning, in a project's file, which comes from strangers.

    `adds`: a list that a layer adds to, instead of replacing what the layers below say. `least`, `most`: the smallest
    and the largest number.
    """
    about = {"description": text, "user_only": user_only, "adds": adds, "least": least, "most": most}
    if isinstance(default, type):
        return attrs.field(factory=default, metadata=about)
    return attrs.field(default=default, metadata=about)


@frozen
class Slot:
    """A role that a model plays."""

    model: str = _key("provider/model, or a shortname", "")
    effort: Effort | None = _key("how hard the model thinks; none leaves it to the server", None)
    max_output: int | None = _key("tokens of one answer; none: the model's own limit", None, least=1)
    context_window: int | None = _key("use no more of the model's window than this; none: all of it", None, least=1)
    fallbacks: tuple[str, ...] = _key("models to go on with when the server of this one fails", ())


@frozen
class Models:
    """The slots, and short names for models."""

    primary: Slot = _key("the model of the session", Slot)
    reasoning: Slot = _key("for questions that need long thought; without a model: primary", Slot)
    cheap: Slot = _key("for small errands; without a model: primary", Slot)
    bulk: Slot = _key("for much text at a low price; without a model: cheap", Slot)
    shortnames: Mapping[str, str] = _key("short names for provider/model", dict)


@frozen
class LocalModel:
    """One file of weights."""

    path: str = _key("the GGUF file", "")
    context_window: int | None = _key("tokens; none: local.context_window", None, least=256)
    arguments: tuple[str, ...] = _key("further arguments of the program, such as --chat-template-file", ())


@frozen
class Local:
    """The server of models on this machine that aries itself can start."""

    url: str = _key("where it listens", "http://127.0.0.1:8080")
    binary: str = _key("the program; found on PATH where it is a bare name", "llama-server")
    context_window: int = _key("tokens of a model that names no other number", 32_768, least=256)
    gpu_layers: int = _key("layers to put on the graphics card", 20, least=0)
    models: Mapping[str, LocalModel] = _key("files of weights, by the model's name", dict)


@frozen
class Permissions:
    """What passes without a question, what asks, what never passes. Deny wins over ask, ask over allow."""

    mode: Mode = _key(
        "ask: whatever changes something asks; edits: file edits pass; read-only: nothing changes; all: nothing asks",
        "ask",
        user_only=True,
    )
    allow: tuple[str, ...] = _key("rules such as Bash(git status), Edit(docs/**), Read", (), user_only=True, adds=True)
    ask: tuple[str, ...] = _key("rules whose calls always ask", (), adds=True)
    deny: tuple[str, ...] = _key("rules whose calls never pass", (), adds=True)


@frozen
class WorkspaceSettings:
    """Where the session may work."""

    also: tuple[str, ...] = _key("further folders, beside the one it was started in", (), user_only=True, adds=True)


@frozen
class Budget:
    """Limits of one turn of the person; none: no limit."""

    max_turns: int | None = _key("answers of the model", 50, least=1)
    max_calls: int | None = _key("calls of tools", 200, least=1)
    max_tokens: int | None = _key("tokens read and written", None, least=1)
    max_cost: float | None = _key("US dollars", None, least=0)
    max_seconds: float | None = _key("seconds", None, least=0)


@frozen
class Retry:
    """What happens when a request fails in a way that may pass."""

    attempts: int = _key("tries of one request, the first included", 4, least=1)
    max_wait: float = _key("longest wait in seconds; a server that asks for more ends the turn", 90.0, least=0)
    fallback_wait: float = _key("longest wait in seconds where another model could go on", 15.0, least=0)


@frozen
class OutputLimits:
    """How much of a tool's output enters the conversation; the rest goes to a file that is named."""

    max_bytes: int = _key("bytes of one result", 30_000, least=1_000)
    max_lines: int = _key("lines of one result", 800, least=3)
    command_seconds: int = _key("time limit of a command that names none", 120, least=1)


@frozen
class Compaction:
    """What happens to a conversation that grows too long for the model."""

    auto: bool = _key("whether it is shortened by itself", True)
    threshold: float = _key("share of the model's window from which on it is shortened", 0.7, least=0.05)
    slot: Literal["primary", "reasoning", "cheap", "bulk"] = _key("the model that writes the summary", "primary")


@frozen
class Phase:
    """A named set of tools."""

    tools: tuple[str, ...] = _key("names of tools; '*' is every tool", ("*",))
    mode: Mode | None = _key("a permission mode that holds in this phase, whatever else is set", None)
    follows_model: bool = _key("whether the mode of the model changes which tools are shown", True)


@frozen
class ToolMode:
    """How a model is given the project: what its phase shows beyond the list, and what it leaves out of it."""

    show: tuple[str, ...] = _key("tools that are shown too", ())
    hide: tuple[str, ...] = _key("tools that are named only, where all of `show` are there", ())


def _modes() -> dict[str, ToolMode]:
    # What a mode shows and hides is the program's to say; this one changes nothing.
    return {"bare": ToolMode()}


@frozen
class ToolModes:
    """The mode of the tools, by the family of the model."""

    mode: str = _key("auto: by the model's family; else the name of a mode", "auto")
    modes: Mapping[str, ToolMode] = attrs.field(
        factory=_modes, metadata={"description": "what each mode shows and hides, by name", "user_only": True}
    )
    families: Mapping[str, str] = attrs.field(
        factory=dict,
        metadata={"description": "mode by the beginning of a model's name, or of provider/model; else bare"},
    )


@frozen
class Body:
    """The process that runs Python for the model and for people, with the project at hand."""

    seconds: float = _key("time limit of an execution that names none", 90.0, least=0.1, most=600)
    memory: int = _key("megabytes of memory of the process and all it starts", 2048, least=128, user_only=True)
    processes: int = _key("processes at the same time", 64, least=4, user_only=True)
    cpu_seconds: int = _key("seconds of processor time in the life of a process", 3600, least=10, user_only=True)
    file_size: int = _key("megabytes of one file, and of all temporary files together", 256, least=1, user_only=True)
    output: int = _key("kilobytes of printed output that are kept of an execution", 128, least=2, most=8_192)
    model_calls: int = _key("questions to the cheap model in an execution", 15, least=0, user_only=True)
    model_cost: float | None = _key(
        "US dollars for those of one execution; none: what the turn's budget leaves",
        None,
        least=0,
        user_only=True,
    )
    groups: Mapping[str, Mapping[str, object]] = attrs.field(
        factory=dict,
        metadata={"description": "settings of the groups of operations that plugins bring, by name", "user_only": True},
    )


@frozen
class Search:
    """The service that searches of the web are sent to."""

    service: str = _key("its name, such as searxng or brave; empty: there is no search", "")
    base_url: str = _key("its address; empty: the one it is known for", "")
    api_key_env: str = _key("variable that holds the key; empty: the one the service is known for", "")
    api_key_file: str = _key("file that holds the key and nothing else, read where the variable is not set", "")


@frozen
class Web:
    """Reading pages, and searching."""

    seconds: float = _key("time limit of a page, with all its redirects", 30.0, least=1, most=600)
    megabytes: int = _key("megabytes of a page, unpacked; what is more is left out", 5, least=1, most=50)
    private_hosts: tuple[str, ...] = _key(
        "names, or patterns as *.corp.example, that may lead to addresses which are not public", (), adds=True
    )
    search: Search = _key("the service that searches are sent to", Search)


@frozen
class Instructions:
    """Files of the project whose text goes into the stable prefix."""

    files: tuple[str, ...] = _key("names, the first that exists in a folder counts", ("AGENTS.md", "CLAUDE.md"))
    max_chars: int = _key("characters of one file", 20_000, least=0)


@frozen
class PluginSwitches:
    """Plugins that are not used."""

    disabled: tuple[str, ...] = _key("distribution, entry point name, or group/name", (), adds=True)


def _phases() -> dict[str, Phase]:
    # The kernel names no tool: what belongs into a lean set is the program's to say.
    return {"full": Phase(follows_model=False), "plan": Phase(mode="read-only")}


@frozen
class Settings:
    """All settings of a session."""

    models: Models = _key("which model plays which role", Models, user_only=True)
    providers: Mapping[str, Mapping[str, object]] = attrs.field(
        factory=dict, metadata={"description": "options of providers, by name", "user_only": True}
    )
    local: Local = _key("models on this machine", Local, user_only=True)
    permissions: Permissions = _key("what may happen without a question", Permissions)
    workspace: WorkspaceSettings = _key("where the session may work", WorkspaceSettings)
    budget: Budget = _key("limits of one turn", Budget, user_only=True)
    retry: Retry = _key("requests that fail", Retry)
    output: OutputLimits = _key("size of tool results", OutputLimits)
    compact: Compaction = _key("conversations that grow too long", Compaction)
    phase: str = _key("the phase a session starts in", "full")
    phases: Mapping[str, Phase] = attrs.field(
        factory=_phases, metadata={"description": "sets of tools, by name", "user_only": True}
    )
    tools: ToolModes = _key("which tools are shown to which model", ToolModes)
    body: Body = _key("the process that runs Python", Body)
    web: Web = _key("reading pages of the web, and searching", Web, user_only=True)
    instructions: Instructions = _key("instruction files of the project", Instructions)
    overview: Overview = _key(
        "how much about the project itself stands in front of each session: off, lean, standard, deep or max", "lean"
    )
    plugins: PluginSwitches = _key("plugins that are not used", PluginSwitches, user_only=True)

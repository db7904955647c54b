"""Every key of `ori.config.yaml`, with its default. A key that nothing reads does not belong here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import attrs

from aries_kernel.values import frozen

__all__ = [
    "Activation",
    "Archiving",
    "Config",
    "Embedding",
    "Forgetting",
    "GraphSettings",
    "IndexSettings",
    "LanguageModel",
    "Learning",
    "Promotion",
    "Retrieval",
    "Templates",
    "VaultSettings",
    "VitalitySettings",
    "Wake",
    "WakeSource",
    "ZoneThresholds",
]


def _key(text: str, default: Any, *, least: float | None = None, most: float | None = None) -> Any:
    about = {"description": text, "least": least, "most": most}
    return attrs.field(**({"factory": default} if callable(default) else {"default": default}), metadata=about)


@frozen
class VaultSettings:
    """The format of this file."""

    version: str = _key("another one than this is told", "0.1")


@frozen
class Templates:
    """Which template a new note starts from."""

    default: str = _key("for types that are not named below", "templates/note.md")
    by_type: Mapping[str, str] = _key("type: template", lambda: {"map": "templates/map.md", "moc": "templates/map.md"})


@frozen
class IndexSettings:
    """What is indexed."""

    skip: tuple[str, ...] = _key(
        "folders and files left out, in the form of .gitignore; hidden folders are always left out",
        ("/templates/", "node_modules/"),
    )
    max_bytes: int = _key("a larger file is named and left out", 8_000_000, least=1)
    suggest: bool = _key("whether a note's text that mentions another note's title makes a suggested link", True)


@frozen
class ZoneThresholds:
    """Lower bounds of vitality."""

    active_floor: float = _key("active from here on", 0.6, least=0, most=1)
    stale_floor: float = _key("stale from here on", 0.3, least=0, most=1)
    fading_floor: float = _key("fading from here on; below it a note counts as archived", 0.1, least=0, most=1)


@frozen
class VitalitySettings:
    """How alive a note is (ACT-R)."""

    actr_decay: float = _key("d of the ACT-R base level", 0.5, least=0, most=1)
    metabolic_rates: Mapping[str, float] = _key(
        "space: factor on the decay", lambda: {"self": 0.1, "notes": 1.0, "ops": 3.0}
    )
    structural_boost_per_link: float = _key("added per incoming link, as a share", 0.1, least=0)
    structural_boost_cap: int = _key("incoming links that count", 10, least=0)
    revival_decay_rate: float = _key("how fast the boost of a new connection fades, per day", 0.2, least=0)
    revival_window_days: int = _key("days after which a new connection counts no more", 14, least=0)
    access_saturation_k: float = _key(
        "accesses at which the access factor is about two thirds of its way up", 10.0, least=0
    )
    zone_thresholds: ZoneThresholds = _key("zones", ZoneThresholds)


@frozen
class Promotion:
    """From the inbox to the notes."""

    auto: bool = _key("promote a new note at once when it has content", True)
    project_keywords: Mapping[str, tuple[str, ...]] = _key("project: words that mean it", dict)
    project_map_routing: Mapping[str, str] = _key("project: the map note its notes are listed under", dict)
    default_area: str = _key("the map for notes of no routed project", "index")


@frozen
class GraphSettings:
    """Figures of the graph."""

    pagerank_alpha: float = _key("damping of PageRank", 0.85, least=0, most=0.999)
    bridge_vitality_floor: float = _key(
        "least vitality of a note that holds parts of the graph together", 0.5, least=0, most=1
    )
    hub_degree_multiplier: float = _key(
        "a note with more incoming links than this times the median is a hub", 2.0, least=0
    )
    suggested_weight: float = _key("weight of a suggested link; a written one weighs 1", 0.3, least=0)


@frozen
class Activation:
    """Use of a note warms its neighbours."""

    enabled: bool = _key("whether it does", True)
    damping: float = _key("share that is passed on per hop", 0.6, least=0, most=1)
    max_hops: int = _key("hops", 2, least=0)
    min_boost: float = _key("smaller boosts are dropped", 0.01, least=0)


@frozen
class Archiving:
    """Which notes `ori archive` and `ori prune` propose."""

    days: int = _key("days without access after which a note with few links may go", 60, least=0)
    fewer_links_than: int = _key("incoming links that keep a note", 2, least=0)
    done_days: int = _key("days after which a completed or superseded note may go", 30, least=0)


@frozen
class Forgetting:
    """`ori forget`."""

    max_matches: int = _key("more matches than this are an error", 10, least=1)


@frozen
class WakeSource:
    """A file of the brief."""

    path: str = _key("relative to the vault", "")
    role: Literal["identity", "goals", "due", "activity", "custom"] = _key("which section it belongs to", "custom")
    cap: int = _key("lines at most", 8, least=0)
    mode: Literal["head", "tail", "due-scan"] = _key("which lines", "head")


def _sources() -> tuple[WakeSource, ...]:
    return (
        WakeSource("self/identity.md", "identity", 1, "head"),
        WakeSource("self/goals.md", "goals", 8, "head"),
        WakeSource("ops/reminders.md", "due", 6, "due-scan"),
        WakeSource("ops/daily.md", "activity", 10, "tail"),
    )


@frozen
class Wake:
    """The brief at the start of a session."""

    budget_lines: int = _key("lines of the whole brief", 40, least=1)
    sources: tuple[WakeSource, ...] = _key("files it is made from", _sources)


def _signals() -> dict[str, float]:
    return {"keyword": 1.0, "semantic": 1.0, "time": 2.0, "warmth": 0.1, "thread": 1.0, "graph": 1.0, "pairs": 1.0}


def _intents() -> dict[str, dict[str, float]]:
    return {
        "episodic": {"time": 2.0, "warmth": 1.5},
        "procedural": {"warmth": 1.5, "spaces": 1.5},
        "decision": {"time": 1.5, "spaces": 2.0},
    }


@frozen
class Retrieval:
    """Ranked questions."""

    signals: Mapping[str, float] = _key(
        "name: weight among the others; a weight of 0 leaves a signal out (`ori query ranked --explain` lists them)",
        _signals,
    )
    stages: tuple[str, ...] = _key("what changes the order afterwards, in this order", ("qvalue", "exploration"))
    options: Mapping[str, Mapping[str, object]] = _key("name of a signal or stage: its own settings", dict)
    intents: Mapping[str, Mapping[str, float]] = _key(
        "intent of a question (episodic, procedural, decision, semantic): factors on the weights of signals", _intents
    )
    fusion: Literal["scores", "ranks"] = _key(
        "how votes are put together: by their scores, or by their ranks (RRF)", "scores"
    )
    rrf_k: int = _key("k of reciprocal rank fusion", 10, least=1)
    named: float = _key("what a note gains whose title stands in the question", 0.6, least=0)
    agreed: float = _key(
        "share of the first note's votes from which on a note comes before it that all rankers with a first place "
        "prefer, at least two; above 1: none does",
        0.8,
        least=0,
    )
    steering: Literal["off", "watch", "on"] = _key(
        "whether parts are left out that cost more than they bring: off, watch (learn it, leave out none) or on", "off"
    )
    spelling: bool = _key("whether a word that no note holds is read as the one that was meant, and told", True)
    candidates: int = _key("notes that are kept until the end", 100, least=1)
    limit: int = _key("notes of an answer", 10, least=1)


@frozen
class Embedding:
    """Notes found by what they mean."""

    embedder: str = _key("the plugin that makes vectors of texts; empty for none", "minilm")
    background: bool = _key("whether a query that finds notes without vectors starts making them", True)
    options: Mapping[str, Mapping[str, object]] = _key("embedder: its own settings", dict)


def _evidence() -> dict[str, float]:
    # `again` follows from the order that credit makes: it halved what credit brings (bench/learning/ablations.py).
    return {"citation": 1.0, "edit": 0.5, "again": 0.0, "echo": 0.6}


@frozen
class Learning:
    """What use teaches."""

    enabled: bool = _key("whether use is noticed and kept", True)
    evidence: Mapping[str, float] = _key(
        "name: what one use of this kind is worth, from 0 to 1; 0 leaves it out", _evidence
    )
    share: Literal["auto", "on", "off"] = _key(
        "whether what was learned is also written as text into .ori/learned, for git to carry to other copies of the "
        "vault; auto: where the vault lies in a repository",
        "auto",
    )
    url: str = _key(
        "a PostgreSQL server that keeps what was learned, for agents on many machines: "
        "postgresql+psycopg://USER@HOST/DATABASE; empty: .ori/learned.db (ORI_LEARNED_URL comes before this)",
        "",
    )
    session_hours: float = _key(
        "hours after which what was found before has nothing to do with what is done", 4.0, least=0
    )
    most_notes: int = _key("notes that one question can teach about in a session", 5, least=1)


@frozen
class LanguageModel:
    """A language model for `ori explore`; ori needs none, and asks none unless it is named here."""

    model: str = _key(
        "`provider/model`, or `cheap` for the cheap slot of aries' settings; empty: sub-questions come from rules", ""
    )
    seconds: float = _key("longest wait for an answer; then the rules go on", 20.0, least=0.1)


@frozen
class Config:
    """All settings of a vault."""

    vault: VaultSettings = _key("", VaultSettings)
    templates: Templates = _key("", Templates)
    index: IndexSettings = _key("", IndexSettings)
    vitality: VitalitySettings = _key("", VitalitySettings)
    promote: Promotion = _key("", Promotion)
    graph: GraphSettings = _key("", GraphSettings)
    activation: Activation = _key("", Activation)
    archive: Archiving = _key("", Archiving)
    forget: Forgetting = _key("", Forgetting)
    retrieval: Retrieval = _key("", Retrieval)
    learning: Learning = _key("", Learning)
    wake: Wake = _key("", Wake)
    embedding: Embedding = _key("", Embedding)
    llm: LanguageModel = _key("", LanguageModel)

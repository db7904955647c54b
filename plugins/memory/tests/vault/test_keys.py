"""Every key of `ori.config.yaml` changes something: a key that nothing reads does not belong into the schema."""

from __future__ import annotations

import datetime
import functools
import itertools
import json
import re
import tempfile
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from aries_kernel.errors import UserError
from ori_memory.exploring.exploration import Exploring
from ori_memory.graph.ranking import pagerank
from ori_memory.learned.store import LearnedStore
from ori_memory.memory import Memory
from ori_memory.operations.archiving import archive_notes
from ori_memory.operations.composing import NewNote
from ori_memory.operations.forgetting import forget
from ori_memory.operations.pruning import prune
from ori_memory.operations.waking import wake
from ori_memory.retrieval.answer import Asked
from ori_memory.vault.config import Config
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import init_vault
from ori_memory.vault.vault import CONFIG_NAME, Vault
from ori_memory.vectors.background import background_reason
from ori_memory.vectors.loading import load_embedder

NOW = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)


def _source(**changed: Any) -> Mapping[str, Any]:
    return {"wake": {"sources": [{"path": "self/goals.md", "role": "goals", "cap": 8, "mode": "head", **changed}]}}


# Key, what it is set to, and the settings it is compared with; `*` stands for an entry of a list.
CASES: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "vault.version": ({"vault": {"version": "9"}}, {}),
    "templates.default": ({"templates": {"default": "templates/other.md"}}, {}),
    "templates.by_type": ({"templates": {"by_type": {"decision": "templates/other.md"}}}, {}),
    "index.skip": ({"index": {"skip": ["templates/", "ops/"]}}, {}),
    "index.max_bytes": ({"index": {"max_bytes": 1_000}}, {}),
    "index.suggest": ({"index": {"suggest": False}}, {}),
    "vitality.actr_decay": ({"vitality": {"actr_decay": 0.2}}, {}),
    "vitality.metabolic_rates": ({"vitality": {"metabolic_rates": {"ops": 0.5}}}, {}),
    "vitality.structural_boost_per_link": ({"vitality": {"structural_boost_per_link": 0.5}}, {}),
    "vitality.structural_boost_cap": ({"vitality": {"structural_boost_cap": 0}}, {}),
    "vitality.revival_decay_rate": ({"vitality": {"revival_decay_rate": 2.0}}, {}),
    "vitality.revival_window_days": ({"vitality": {"revival_window_days": 0}}, {}),
    "vitality.access_saturation_k": ({"vitality": {"access_saturation_k": 1.0}}, {}),
    "vitality.zone_thresholds.active_floor": ({"vitality": {"zone_thresholds": {"active_floor": 0.5}}}, {}),
    "vitality.zone_thresholds.stale_floor": ({"vitality": {"zone_thresholds": {"stale_floor": 0.59}}}, {}),
    "vitality.zone_thresholds.fading_floor": ({"vitality": {"zone_thresholds": {"fading_floor": 0}}}, {}),
    "promote.auto": ({"promote": {"auto": False}}, {}),
    "promote.project_keywords": ({"promote": {"project_keywords": {"brewing": ["kettles"]}}}, {}),
    "promote.project_map_routing": ({"promote": {"project_map_routing": {"tea": "Hub"}}}, {}),
    "promote.default_area": ({"promote": {"default_area": "Hub"}}, {}),
    "graph.pagerank_alpha": ({"graph": {"pagerank_alpha": 0.5}}, {}),
    "graph.bridge_vitality_floor": ({"graph": {"bridge_vitality_floor": 0.9}}, {}),
    "graph.hub_degree_multiplier": ({"graph": {"hub_degree_multiplier": 100.0}}, {}),
    "graph.suggested_weight": ({"graph": {"suggested_weight": 0.9}}, {}),
    "activation.enabled": ({"activation": {"enabled": False}}, {}),
    "activation.damping": ({"activation": {"damping": 0.5}}, {}),
    "activation.max_hops": ({"activation": {"max_hops": 1}}, {}),
    "activation.min_boost": ({"activation": {"min_boost": 0.02}}, {}),
    "archive.days": ({"archive": {"days": 10_000}}, {}),
    "archive.fewer_links_than": ({"archive": {"fewer_links_than": 0}}, {}),
    "archive.done_days": ({"archive": {"done_days": 1}}, {}),
    "forget.max_matches": ({"forget": {"max_matches": 1}}, {}),
    "embedding.embedder": ({"embedding": {"embedder": "another"}}, {}),
    "embedding.background": ({"embedding": {"background": False}}, {}),
    "embedding.options": ({"embedding": {"options": {"minilm": {"unknown": 1}}}}, {}),
    "retrieval.signals": ({"retrieval": {"signals": {"graph": 1.0, "keyword": 1.0, "thread": 0.0}}}, {}),
    "retrieval.stages": ({"retrieval": {"stages": ["hub"]}}, {}),
    "retrieval.options": ({"retrieval": {"options": {"graph": {"steps": 1}}}}, {}),
    "retrieval.intents": ({"retrieval": {"intents": {"semantic": {"graph": 0.2}}}}, {}),
    "retrieval.fusion": ({"retrieval": {"fusion": "ranks"}}, {}),
    "retrieval.rrf_k": ({"retrieval": {"fusion": "ranks", "rrf_k": 1}}, {"retrieval": {"fusion": "ranks"}}),
    "retrieval.named": ({"retrieval": {"named": 0.1}}, {}),
    "retrieval.agreed": ({"retrieval": {"agreed": 0.0}}, {}),
    "retrieval.spelling": ({"retrieval": {"spelling": False}}, {}),
    "retrieval.steering": ({"retrieval": {"steering": "watch"}}, {}),
    "retrieval.candidates": ({"retrieval": {"candidates": 2}}, {}),
    "retrieval.limit": ({"retrieval": {"limit": 1}}, {}),
    "learning.enabled": ({"learning": {"enabled": False}}, {}),
    "learning.evidence": ({"learning": {"evidence": {"citation": 0.2}}}, {}),
    "learning.share": ({"learning": {"share": "on"}}, {}),
    "learning.url": ({"learning": {"url": "postgresql+psycopg://nobody@127.0.0.1:1/none"}}, {}),
    "learning.session_hours": ({"learning": {"session_hours": 1.0}}, {}),
    "learning.most_notes": ({"learning": {"most_notes": 1}}, {}),
    "llm.model": ({"llm": {"model": "replay/model.jsonl"}}, {"llm": {"model": "replay/slow.jsonl"}}),
    "llm.seconds": (
        {"llm": {"model": "replay/slow.jsonl", "seconds": 0.1}},
        {"llm": {"model": "replay/slow.jsonl"}},
    ),
    "wake.budget_lines": ({"wake": {"budget_lines": 2}}, {}),
    "wake.sources.*.path": (_source(path="self/methodology.md"), _source()),
    "wake.sources.*.role": (_source(role="custom"), _source()),
    "wake.sources.*.cap": (_source(cap=1), _source()),
    "wake.sources.*.mode": (_source(cap=1, mode="tail"), _source(cap=1)),
}

_FILES = {
    "templates/other.md": "---\ntags: [other]\n---\n\n# {title}\n\n{content}\n\nMade from another template.\n",
    "self/identity.md": "I am a test.\n",
    "self/goals.md": "# Goals\n\n- first goal\n- second goal\n",
    "self/methodology.md": "- a method\n",
    "notes/index.md": "---\ncreated: 2026-01-05\n---\n[[Hub]] [[Done]] [[Large]] [[log]] [[identity]] [[goals]]\n",
    "notes/Hub.md": "---\ncreated: 2026-02-25\n---\n[[Spoke one]] [[Spoke two]]\n",
    "notes/Spoke one.md": "---\ncreated: 2026-02-20\n---\n[[Hub]] kettles\n",
    "notes/Spoke two.md": "---\ncreated: 2026-02-26\n---\n[[Hub]] kettles, and the lone wolf is mentioned\n",
    "notes/Lone wolf.md": "---\ncreated: 2020-01-01\n---\nNobody needs this.\n",
    "notes/Done.md": "---\ncreated: 2026-02-10\nstatus: completed\n---\n[[Hub]]\n",
    "notes/Large.md": "---\ncreated: 2026-02-10\n---\n" + "much text \n" * 200,
    "model.jsonl": '{"pieces": [{"text": "what is lone"}]}\n',
    "slow.jsonl": '{"pieces": [{"wait": 0.5}, {"text": "who boils"}]}\n',
    "ops/log.md": "---\ncreated: 2026-02-10\n---\nops\n",
}


def keys(kind: Any = Config, where: str = "") -> Iterator[str]:
    """The path of every leaf of the schema."""
    hints = typing.get_type_hints(kind)
    for one in attrs.fields(kind):
        inner = hints[one.name]
        values = typing.get_args(inner)
        if attrs.has(inner):
            yield from keys(inner, f"{where}{one.name}.")
        elif typing.get_origin(inner) is tuple and attrs.has(values[0]):
            yield from keys(values[0], f"{where}{one.name}.*.")
        else:
            yield where + one.name


@functools.cache
def observe(settings: str) -> str:
    """What a vault with these settings (as JSON, which is YAML) does and says."""
    with tempfile.TemporaryDirectory() as folder:
        root = init_vault(Path(folder, "vault")).vault.root
        for path, text in _FILES.items():
            (root / path).write_text(text, encoding="utf-8")
        (root / CONFIG_NAME).write_text(settings, encoding="utf-8")
        numbers = itertools.count()
        vault = attrs.evolve(open_vault(root), id="vault")
        with Memory.open(vault, now=lambda: NOW, make_id=lambda: f"id-{next(numbers)}") as memory:
            seen = list(_seen(memory, root))
        seen += _taught(vault)
        return repr(seen).replace(str(root), "")


def _seen(memory: Memory, root: Path) -> Iterator[object]:
    # The index makes an id of its own for each note that has none.
    known = {note.id for note in memory.index.notes() if note.created}
    yield [(note.path, note.projects) for note in memory.index.notes()]
    yield memory.index.suggested()
    yield {path: one for path, one in memory.vitality.items() if path in _FILES and "created" in _FILES[path]}
    yield pagerank(memory.graph, memory.vault.config.graph.pagerank_alpha)
    yield prune(memory), archive_notes(memory, is_dry_run=True)
    yield [re.sub(r"index of \S+ \S+ UTC", "", line) for line in wake(memory.vault, now=NOW).lines]
    yield background_reason(memory.vault, {})
    for text in ("what does Lone wolf say of kettles", "kettles", "kettels"):
        answer = memory.answer(
            Asked(text, limit=memory.vault.config.retrieval.limit, without=("semantic",), explores=False)
        )
        yield [attrs.evolve(hit, id="", created=None) for hit in answer.hits]
        yield [(part.name, part.state, part.reason) for part in (*answer.signals, *answer.stages)]
    if memory.vault.config.llm.model:
        found = memory.explore(Exploring("kettles"))
        yield [one.text for one in found.sub_questions], found.notices
    yield sorted(memory.learned.arms())
    try:
        embedder = load_embedder(memory.vault)
        yield embedder if isinstance(embedder, str) else embedder.fingerprint
    except UserError as error:
        yield str(error)
    try:
        yield forget(memory, "kettles")
    except UserError as error:
        yield str(error)
    try:
        memory.record_use({"notes/Spoke one.md": 0.05})
        boosts = memory.learned.boosts()
        yield sorted((memory.index.note(id).path, boost) for id, boost in boosts.items() if id in known)
    except UserError as error:
        yield str(error)
    added = memory.add(NewNote("How we boil", "We decided on kettles.", type="decision"))
    yield (root / added.path).read_bytes()
    added = memory.add(NewNote("Why we boil", "It is for tea.", projects=("tea",), type="insight"))
    yield (root / added.path).read_bytes()
    yield memory.warnings


def _taught(vault: Vault) -> Iterator[object]:
    """What a question teaches whose notes are linked to two hours later."""
    numbers = itertools.count(1000)
    more = {"make_id": lambda: f"id-{next(numbers)}", "environ": {}}
    with Memory.open(vault, now=lambda: NOW, **more) as memory:
        memory.ask(Asked("the kettles of spoke", without=("semantic",), explores=False), session="s")
    later = NOW + datetime.timedelta(hours=2)
    with Memory.open(vault, now=lambda: later, **more) as memory:
        memory.add(NewNote("What to do", "As in [[Spoke one]] and [[Spoke two]]."), session="s")
        memory.teaching.learn()
        yield memory.warnings
    with LearnedStore(vault.learned_path) as learned:
        yield sorted((one.words, one.reward, one.uses) for one in learned.credits())
    yield len(list((vault.state_folder / "learned").glob("*.ndjson")))


def test_every_key_has_a_case() -> None:
    assert sorted(keys()) == sorted(CASES)


@pytest.mark.parametrize("key", CASES)
def test_a_key_changes_what_a_vault_does(key: str) -> None:
    changed, below = CASES[key]
    # Two texts of this length are not for pytest to compare: its diff takes minutes.
    is_same = observe(json.dumps(changed)) == observe(json.dumps(below))
    assert not is_same


def test_the_same_settings_do_the_same() -> None:
    is_same = observe("{}") == observe("{ }")
    assert is_same

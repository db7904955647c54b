"""The library: one vault, opened, with all that can be asked of it and done with it.

with Memory.open(find_vault(None, os.environ, Path.cwd(), Path.home()).vault) as memory:
    memory.add(NewNote("Tea is brewed at 80 degrees", "Green tea turns bitter above."))
    memory.index.backlinks("index")
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self

from attrs import evolve, field

from aries_kernel.errors import UnknownName, UserError
from aries_kernel.values import define
from ori_memory.index.index import Index, open_index
from ori_memory.index.lookup import AmbiguousNote
from ori_memory.learned.place import is_kept
from ori_memory.vault.vault import Vault

if TYPE_CHECKING:
    import sqlite3

    from aries_kernel.contracts import Embedder, Vectors
    from ori_memory.exploring.exploration import Decompose, Exploration, Exploring
    from ori_memory.graph.edges import Edge
    from ori_memory.graph.graph import NoteGraph
    from ori_memory.graph.structure import Structure
    from ori_memory.graph.vitality import Vitality
    from ori_memory.index.report import SyncReport
    from ori_memory.learned.store import LearnedStore
    from ori_memory.learning.teaching import Teaching
    from ori_memory.operations.adding import Added
    from ori_memory.operations.composing import NewNote
    from ori_memory.operations.reading import ReadNote
    from ori_memory.retrieval.answer import Answer, Asked
    from ori_memory.retrieval.kept import Kept
    from ori_memory.retrieval.parts import Parts
    from ori_memory.retrieval.taught import Taught

__all__ = ["Memory"]


_KEPT_QUESTIONS = 200


def _utc_now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _random_id() -> str:
    return os.urandom(8).hex()


@define
class Memory:
    """A vault in use. Figures are computed when they are first asked for and kept until `refresh`."""

    vault: Vault
    now: Callable[[], datetime.datetime] = _utc_now
    make_id: Callable[[], str] = _random_id
    progress: Callable[[int, int], None] | None = None
    environ: Mapping[str, str] = field(factory=lambda: os.environ)
    session: str = ""
    """Which session the questions belong to that are asked here; empty: one of this memory's own."""
    _index: Index | None = None
    _learned: LearnedStore | None = None
    _teaching: Teaching | None = None
    _edges: tuple[Edge, ...] | None = None
    _graph: NoteGraph | None = None
    _structure: Structure | None = None
    _vitality: Mapping[str, Vitality] | None = None
    _parts: Parts | None = None
    _embedder: Embedder | str | None = None
    _vectors: tuple[object, Vectors | str] | None = None
    _embedded: dict[str, bytes] = field(factory=dict)
    _kept: tuple[object, Kept] | None = None
    _taught: Taught | None = None
    _notices: list[str] = field(factory=list)

    @classmethod
    def open(cls, vault: Vault, **more: object) -> Self:
        """A memory over `vault`; the index is opened when it is first needed."""
        memory = cls(vault, **more)  # type: ignore[arg-type]  # the attributes above, by name
        memory.notice(*vault.warnings)
        return memory

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Keep what was noticed, and give the files back; the memory may be used again afterwards."""
        if self._teaching is not None:
            self._teaching.finish()
        if self._index is not None:
            self._index.close()
        if self._learned is not None:
            self._learned.close()
        self._index = self._learned = None
        self.forget_figures()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the person should be told, each thing once."""
        learned = self._learned.warnings if self._learned is not None else []
        return tuple(dict.fromkeys([*self._notices, *learned]))

    def take_warnings(self) -> tuple[str, ...]:
        """What there is to tell since the last call: a server tells each thing with the answer that it belongs to."""
        told = self.warnings
        self._notices.clear()
        if self._learned is not None:
            self._learned.warnings.clear()
        return told

    def notice(self, *texts: str) -> None:
        """Something the person should be told."""
        self._notices += texts

    @property
    def index(self) -> Index:
        """The index, synced when it was opened.

        What that sync has to tell is in `warnings`.
        """
        if self._index is None:
            self._share_ids(is_before=True)
            self._index = open_index(self.vault, progress=self.progress)
            self.take_in(self._index.report, makes_store=False)
        return self._index

    def refresh(self) -> None:
        """See what changed on disk since, waiting for other writers: what was just written must be found."""
        self.sync()

    def sync(self, *, force: bool = False, allow_mass_removal: bool = False) -> SyncReport:
        """Bring the index to what the files say, as `Index.sync` does, and learn which notes were linked anew."""
        if self._index is None:
            self._index = open_index(self.vault, sync=False)
        self._share_ids(is_before=True)
        report = self._index.sync(wait=True, force=force, allow_mass_removal=allow_mass_removal, progress=self.progress)
        self.take_in(report, makes_store=True)
        self.forget_figures()
        return report

    def take_in(self, report: SyncReport, *, makes_store: bool) -> None:
        """After a sync: what it has to tell, and which notes were linked anew.

        `makes_store` False: a question; where nothing was learned yet, it leaves no file behind.
        """
        self.notice(*report.warnings)
        if report.added or report.renamed or report.removed:
            self._share_ids(is_before=False)
        if (report.added or report.changed) and (makes_store or self.has_learned):
            self.teaching.synced(report)
        if report.connected and (makes_store or self.has_learned):
            from ori_memory.operations.using import record_connections

            record_connections(self, report)

    def _share_ids(self, *, is_before: bool) -> None:
        if self.learned_url:
            from ori_memory.learning.mirroring import share_ids

            share_ids(self, is_before=is_before)

    def titled(self, name: str) -> tuple[str, ...]:
        """Paths of the notes that answer to a name; none where it is nobody's."""
        try:
            return (self.index.note(name).path,)
        except AmbiguousNote as error:
            return error.candidates
        except UnknownName:
            return ()

    def orphans(self) -> tuple[str, ...]:
        """Notes that no other note links to; the inbox, `self` and `ops` are not there to be linked to."""
        return tuple(note.path for note in self.index.orphans() if note.space == "notes")

    def forget_figures(self) -> None:
        """Compute graph and vitality anew when they are next asked for."""
        self._edges = self._graph = self._structure = self._vitality = None

    @property
    def learned(self) -> LearnedStore:
        """What use has taught; reading it never writes."""
        if self._learned is None:
            from ori_memory.learned.store import LearnedStore

            path, url = self.vault.learned_path, self.learned_url
            self._learned = LearnedStore(path, clock=self.now, url=url, space=self.vault.id)
        return self._learned

    @property
    def teaching(self) -> Teaching:
        """Use, noticed as it happens; kept after a minute, and at the end."""
        if self._teaching is None:
            from ori_memory.learning.teaching import Teaching

            self._teaching = Teaching(self, session=self.session)
        return self._teaching

    @property
    def is_index_temporary(self) -> bool:
        """Whether the vault cannot be written, so that nothing can be kept beside it."""
        return self._index is not None and self._index.is_temporary

    @property
    def learned_url(self) -> str:
        """The server that keeps what was learned; empty: a file of the vault."""
        return self.environ.get("ORI_LEARNED_URL", "") or self.vault.config.learning.url

    @property
    def has_learned(self) -> bool:
        """Whether anything was learned, or may have been; asked before anything is imported that would read it."""
        return bool(self.learned_url) or is_kept(self.vault.learned_path)

    @property
    def graph(self) -> NoteGraph:
        """Notes and the links between them."""
        if self._graph is None:
            from ori_memory.graph.graph import LinkWeights, NoteGraph

            weights = LinkWeights(suggested=self.vault.config.graph.suggested_weight)
            self._graph = NoteGraph.build(self.index.notes(), self.edges, weights)
        return self._graph

    @property
    def edges(self) -> tuple[Edge, ...]:
        """All resolved and suggested links, a row for each kind between two notes."""
        if self._edges is None:
            from ori_memory.graph.source import IndexSource

            self._edges = tuple(IndexSource(self.index).edges())
        return self._edges

    @property
    def structure(self) -> Structure:
        """What holds the graph together."""
        if self._structure is None:
            from ori_memory.graph.structure import structure_of

            self._structure = structure_of(self.graph, self.vault.config.graph.hub_degree_multiplier)
        return self._structure

    @property
    def vitality(self) -> Mapping[str, Vitality]:
        """How alive each note is, by path."""
        if self._vitality is None:
            from ori_memory.graph.warmth import new_connections, vitalities

            seen = self.learned.connections()
            self._vitality = vitalities(
                self.graph,
                self.now(),
                uses=self.learned.accesses(),
                boosts=self.learned.boosts(),
                connections=new_connections(self.graph, self.edges, seen),
                bridge_notes=self.structure.bridge_notes,
                settings=self.vault.config.vitality,
                bridge_floor=self.vault.config.graph.bridge_vitality_floor,
            )
        return self._vitality

    @property
    def parts(self) -> Parts:
        """Signals and stages, each made when it is first asked for."""
        if self._parts is None:
            from ori_memory.app import plugins
            from ori_memory.retrieval.parts import Parts

            self._parts = Parts(plugins, self.vault)
        return self._parts

    def use_embedder(self, embedder: Embedder | str) -> None:
        """Take one that was loaded elsewhere, as a server does in the background."""
        self._embedder = embedder

    @property
    def embedder(self) -> Embedder | str:
        """The model that the settings name, or why there is none."""
        if self._embedder is None:
            from ori_memory.vectors.loading import load_embedder

            self._embedder = load_embedder(self.vault)
        return self._embedder

    def embed(self, text: str) -> bytes:
        """A question's vector; the last ones are kept. Raises: UserError where there is no model."""
        embedder = self.embedder
        if isinstance(embedder, str):
            raise UserError(embedder)
        if text not in self._embedded:
            if len(self._embedded) >= _KEPT_QUESTIONS:
                self._embedded.pop(next(iter(self._embedded)))
            self._embedded[text] = embedder.embed_query(text)
        return self._embedded[text]

    def vectors(self, connection: sqlite3.Connection) -> Vectors | str:
        """The vectors for the notes of this index, or why there are none; kept for as long as nothing changes."""
        embedder = self.embedder
        if isinstance(embedder, str):
            return embedder
        from ori_memory.vectors.reading import load, state_of

        state = state_of(connection, self.vault.state_folder)
        if self._vectors is None or self._vectors[0] != state:
            self._vectors = state, load(connection, self.vault.state_folder, embedder.fingerprint)
        return self._vectors[1]

    @property
    def taught(self) -> Taught:
        """What use has taught, as a question needs it."""
        if self._taught is None:
            from ori_memory.retrieval.taught import Taught

            self._taught = Taught(self)
        return self._taught

    def kept(self, connection: sqlite3.Connection) -> Kept:
        """What earlier questions found out about this state of the index."""
        from ori_memory.retrieval.kept import Kept, state_of

        state = state_of(connection)
        if self._kept is None or self._kept[0] != state:
            self._kept = state, Kept()
        self._kept[1].trim()
        return self._kept[1]

    def ask(self, asked: Asked, *, session: str = "", client: str = "") -> Answer:
        """Answer a ranked question, and remember what it brought: if that proves useful, it is learned from.

        See `answer`, and `learning.teaching`.
        """
        answer = self.answer(asked)
        self.was_shown(answer, session=session, client=client)
        return answer

    def was_shown(self, answer: Answer, *, session: str = "", client: str = "") -> None:
        """Tell that an answer, wherever it came from, was shown to whoever asked."""
        found = [hit.id for hit in answer.hits if not hit.mark]
        self.teaching.asked(answer.question, found, session=session, client=client)

    def said(self, text: str, *, session: str = "", client: str = "") -> None:
        """Tell what an agent answered: notes that it cites or repeats proved useful."""
        self.teaching.said(text, session=session, client=client)

    def answer(self, asked: Asked) -> Answer:
        """Answer a ranked question for a purpose of ori's own; vectors that it had to do without are made in the
        background afterwards. See `retrieval.asking.ask`.
        """
        from ori_memory.retrieval.asking import ask

        answer = ask(self, asked)
        self.taught.keep_steering()
        if self._vectors is None or asked.is_fast:
            return answer
        from ori_memory.vectors.background import complete_in_background

        told = complete_in_background(self.vault, self._vectors[1], answer.note_count, self.environ)
        return evolve(answer, notices=(*answer.notices, told)) if told else answer

    def explore(
        self, exploring: Exploring, decompose: Decompose | None = None, *, session: str = "", client: str = ""
    ) -> Exploration:
        """Answer a question that takes several notes, as `ask` does. See `exploring.exploring.explore`.

        `decompose` None: the model that the settings name, and rules where they name none.
        """
        from ori_memory.exploring.exploring import explore

        found = explore(self, exploring, decompose)
        ids = [one.id for one in found.discoveries]
        self.teaching.asked(exploring.text, ids, session=session, client=client)
        return found

    def add(self, request: NewNote, *, session: str = "", client: str = "") -> Added:
        """Keep a note; those that it links to or names proved useful. See `operations.adding.add_note`."""
        from ori_memory.operations.adding import add_note

        added = add_note(self, request)
        # Also where it is there already: whoever wrote it may have been killed before that was told. It counts once.
        self.teaching.added(added.id, f"{request.title}\n\n{request.content}", session=session, client=client)
        return added

    def read(self, name: str) -> ReadNote:
        """A note by path, title, alias or id, which is a use of it. See `operations.reading.read_one`."""
        from ori_memory.operations.reading import read_one

        return read_one(self, name)

    def record_use(self, utilities: Mapping[str, float], *, session: str = "") -> None:
        """Tell that notes were used, by path, each from 0 to 1. See `operations.using.record_use`."""
        from ori_memory.operations.using import record_use

        record_use(self, utilities, session=session)
        self.forget_figures()

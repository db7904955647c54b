"""A ranked question: understood, put to every signal, fused, led by the graph, passed through the stages, filtered."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from itertools import islice
from typing import TYPE_CHECKING, Any

from attrs import evolve, field

from aries_kernel.contracts import Found, Question, Scores, Signal, Skipped, Stage
from aries_kernel.errors import AriesError, ConfigError, PluginError, UnknownName, UserError
from aries_kernel.ranking import FOUND, best
from aries_kernel.values import define
from ori_memory.retrieval.answer import Answer, Asked, PartReport, PartState, Verdict
from ori_memory.retrieval.corpus import IndexCorpus
from ori_memory.retrieval.fusion import Vote, fuse_ranks, fuse_scores, led
from ori_memory.retrieval.holding import share_held
from ori_memory.retrieval.naming import named_in, titled_so
from ori_memory.retrieval.ordering import in_steady_order
from ori_memory.retrieval.parts import SIGNALS, STAGES, Parts
from ori_memory.retrieval.question import understand_question
from ori_memory.retrieval.showing import Shown, show
from ori_memory.retrieval.sources import sources_of
from ori_memory.retrieval.spelling import Reading, read_as
from ori_memory.retrieval.visibility import Visibility, folders_near, notes_within, unknown_projects

if TYPE_CHECKING:
    from ori_memory.memory import Memory
    from ori_memory.retrieval.steering import Steered
    from ori_memory.vault.config import Retrieval

__all__ = ["ask"]

SLOW = ("semantic", "spaces", "crossencoder")
"""Parts that need a model, a numeric library or the whole graph."""
_BY_WORDS, _BY_MEANING = "keyword", "semantic"
_MOST_HELD, _LOST = 0.7, 0.7
"""Share of a question that a note may hold before meaning loses weight, and the share lost where it holds all."""
_LOOKED_AT = 40
"""Notes among which lists are looked for."""
_OF_A_LIST, _OF_A_HUB = 0.5, 0.25
"""What is left of the score of a note that only lists others, and of what a ranker gives it: all links lead there."""
_NAMES_IT = 0.5
"""Share of a question that the title of a list must hold for the list to be an answer."""
_ALIKE = 5
"""Notes with the same score among which a ranker's first is looked for."""
_MOST_VOTED = 10 * FOUND
"""Notes of a vote from which on it is shortened."""
_PREFERRED = "first: the rankers agree on it, and the votes for another are hardly more"


def ask(memory: Memory, asked: Asked) -> Answer:
    """Answer from one state of the index. Nothing is written: whoever shows the answer tells what was shown.

    A part that fails is named in the answer, and the others go on.
    Raises: UnknownName for a part or a folder of `asked` that is not there; UserError for an empty question.
    """
    if not asked.text.strip():
        raise UserError("The question is empty. Say what to look for.")
    if asked.limit < 1:
        raise UserError("The limit must be at least 1.")
    for name in asked.without:
        if name not in memory.parts.names():
            raise UnknownName("signal or stage", name, memory.parts.names())
    with memory.learned.held() if memory.has_learned else nullcontext():
        return memory.index.read(lambda connection: _Asking(memory, asked, connection).answer())


def _check_folder(memory: Memory, asked: Asked, connection: sqlite3.Connection) -> None:
    """A folder that is there and holds no note has no answer; one that is not there was mistyped."""
    folder = asked.folder.strip("/")
    near = folders_near(connection, folder)
    # To some file systems `Notes` is there where `notes` is.
    if not memory.vault.locate(folder).exists() or folder.lower() in map(str.lower, near):
        raise UnknownName("folder", folder, near, are_all=False)


@define
class _Asking:
    """One question at work."""

    memory: Memory
    asked: Asked
    connection: sqlite3.Connection
    settings: Retrieval = field(init=False)
    parts: Parts = field(init=False)
    reading: Reading = field(init=False)
    signals: list[PartReport] = field(factory=list)
    stages: list[PartReport] = field(factory=list)
    said: dict[str, Mapping[int, float]] = field(factory=dict)
    """What each signal said, for the explanation."""
    understood: float = 0.0
    """How far similarities in meaning say of themselves that a note fits."""
    sure: dict[int, None] = field(factory=dict)
    """Notes that come first before the stages."""
    preferred: int | None = None
    """One of them that the rankers put before the first of the votes."""
    steered: Steered | None = None
    """What was learned about the parts; None: the settings say that nothing is."""
    literal: tuple[int, ...] = ()
    """Those of them that were asked for literally: they come first after the stages too."""

    def __attrs_post_init__(self) -> None:
        self.settings = self.memory.vault.config.retrieval
        self.parts = self.memory.parts

    def answer(self) -> Answer:
        began = time.perf_counter()
        today = self.asked.as_of or self.memory.now().date()
        sources = sources_of(self.memory, is_fast=self.asked.is_fast)
        kept = self.memory.kept(self.connection)
        within = notes_within(self.connection, self.asked)
        if self.asked.folder and not within:
            _check_folder(self.memory, self.asked, self.connection)
        corpus = IndexCorpus(self.connection, today, sources, within, kept)
        self.reading = read_as(self.asked.text, corpus) if self.settings.spelling else Reading(self.asked.text)
        named = named_in(self.connection, corpus, self.reading.text)
        question = understand_question(self.reading.text, today, named, self.asked.limit, corpus.newest_day)
        steering = self.memory.taught.steering
        if steering is not None:
            self.steered = steering.begin(question, corpus)
        found = self._found(question, corpus)
        visibility = Visibility(self.connection, self.asked, today, kept)
        ranked = self._staged(question, corpus, self._ordered(found, visibility))
        literal, understood = set(self.literal), self.understood
        shown = show(self.connection, corpus, self.asked, question, ranked, self.said, literal, visibility, understood)
        return self._told(question, shown, corpus.note_count, (time.perf_counter() - began) * 1000)

    def _found(self, question: Question, corpus: IndexCorpus) -> dict[int, float]:
        """The votes fused, and led by the rankers."""
        votes: list[Vote] = []
        rankers: list[tuple[str, Signal, float]] = []
        for name, signal, usual in self._signals():
            weight = usual * self._factor(name, question)
            if signal.role == "ranker":
                rankers.append((name, signal, weight))
                continue
            scores = self._score(name, signal, question, corpus, {})
            if scores is not None:
                votes.append(Vote(name, weight, scores))
                self.sure.update(dict.fromkeys(scores.surest))
        votes = self._weighed(_without_tails(votes), question, corpus)
        found = self._fused(votes)
        lists = _mere_lists(found, question, corpus)
        found = _set_back(found, lists, _OF_A_LIST)
        if self.steered is not None:
            for vote in votes:
                others = self._fused([other for other in votes if other is not vote])
                self.steered.saw(vote.name, others, found, self._took(vote.name))
        for note, sureness in question.named.items() if votes else ():
            found[note] = found.get(note, 0.0) + self.settings.named * sureness
        titled = sorted(titled_so(corpus, question), key=lambda note: -found.get(note, 0.0)) if votes else []
        self.sure = {**dict.fromkeys(titled), **self.sure}
        self.literal = tuple(self.sure)
        if rankers:
            found = dict(in_steady_order(self.connection, best(found, len(found)), corpus.kept.paths))
        voted = found
        favourites: list[int] = []
        for name, ranker, weight in rankers:
            highest = max(found.values(), default=0.0) or 1.0
            scores = self._score(name, ranker, question, corpus, {n: s / highest for n, s in found.items()})
            if scores is not None:
                scores = evolve(scores, scores=_set_back(scores.scores, lists, _OF_A_HUB))
                before, found = found, led(found, evolve(scores, confidence=min(1.0, weight * scores.confidence)))
                if self.steered is not None:
                    self.steered.saw(name, before, found, self._took(name))
                for note in scores.surest if not self.literal else ():
                    self.sure[note] = None
                    found[note] = max(found.values())  # So that a ranker that follows knows it as the first.
                if scores.surest and scores.scores:
                    favourites.append(self._favourite(scores, corpus.kept.paths))
        self._agree(voted, favourites)
        return found

    def _weighed(self, votes: list[Vote], question: Question, corpus: IndexCorpus) -> list[Vote]:
        """Where the first note by words holds nearly all that the question says, meaning has less of a say.

        It was asked in the note's own words then, and what is like them in meaning is something else.
        """
        words = next((vote.scores.scores for vote in votes if vote.name == _BY_WORDS), {})
        if not words or all(vote.name != _BY_MEANING for vote in votes):
            return votes
        (first, _), *_ = best(words, 1)
        text = corpus.whole_texts([first]).get(first, "")
        held = share_held(corpus, question, text, corpus.rarity(question.words))
        kept = 1 - _LOST * max(0.0, (held - _MOST_HELD) / (1 - _MOST_HELD))
        return [evolve(vote, weight=vote.weight * kept) if vote.name == _BY_MEANING else vote for vote in votes]

    def _favourite(self, scores: Scores, paths: dict[int, str]) -> int:
        """The note that a ranker would put first, were the first place not the votes'."""
        first = scores.surest[0]
        top = next(in_steady_order(self.connection, best(scores.scores, _ALIKE), paths))
        return first if scores.scores.get(first, 0.0) >= top[1] else top[0]

    def _agree(self, voted: Mapping[int, float], favourites: Sequence[int]) -> None:
        """Of two notes that the votes hardly tell apart the one comes first that every ranker prefers.

        Each ranker by itself is often wrong there: the hub of what is asked for is on its way to everything.
        """
        if self.literal or len(favourites) < 2 or len(set(favourites)) > 1:
            return
        first, preferred = next(iter(self.sure)), favourites[0]
        if preferred not in self.sure and voted.get(preferred, 0.0) >= self.settings.agreed * voted.get(first, 0.0):
            self.sure = {preferred: None, **self.sure}
            self.preferred = preferred

    def _fused(self, votes: Sequence[Vote]) -> dict[int, float]:
        return fuse_ranks(votes, self.settings.rrf_k) if self.settings.fusion == "ranks" else fuse_scores(votes)

    def _took(self, name: str) -> float:
        """What a part took, in milliseconds."""
        return next(part.milliseconds for part in (*self.signals, *self.stages) if part.name == name)

    def _factor(self, name: str, question: Question) -> float:
        """How much more or less a signal counts for what is asked for, as far as that is sure."""
        factor = self.settings.intents.get(question.intent.value, {}).get(name, 1.0)
        return 1 + (factor - 1) * question.intent_confidence

    def _signals(self) -> list[tuple[str, Signal, float]]:
        wanted = dict(self.settings.signals)
        if self.asked.only is not None:
            wanted = {name: wanted.get(name, 1.0) for name in self.asked.only}
        loaded = []
        for name, weight in wanted.items():
            reason = self._left_out(name, weight)
            signal = None if reason else self._load(SIGNALS, name, self.signals)
            if reason:
                self.signals.append(PartReport(name, PartState.SKIPPED, reason))
            if signal is not None:
                loaded.append((name, signal, weight))
        return loaded

    def _left_out(self, name: str, weight: float = 1.0) -> str:
        if name in self.asked.without:
            return "left out"
        if weight <= 0:
            return "its weight is 0 in the settings"
        if self.asked.is_fast and name in SLOW:
            return "too slow for a fast answer"
        return self.steered.leaves_out(name) if self.steered is not None else ""

    def _score(
        self, name: str, signal: Signal, question: Question, corpus: IndexCorpus, found: Mapping[int, float]
    ) -> Scores | None:
        began = time.perf_counter()
        said = self._guarded(name, self.signals, began, lambda: signal.score(question, corpus, found))
        if not isinstance(said, Scores):
            return None
        self.said[name] = said.scores
        if name == "semantic":
            self.understood = said.confidence if said.telling is None else said.telling
        took = (time.perf_counter() - began) * 1000
        self.signals.append(PartReport(name, PartState.RAN, said.notice, len(said.scores), took))
        return said

    def _ordered(self, found: Mapping[int, float], visibility: Visibility) -> list[Found]:
        """The best that may be seen: a hidden note takes no place, and no note comes last for being like one."""
        ranked = best(found, len(found))
        top = ranked[0][1] if ranked else 0.0
        first = [
            Found(note, 1.0, why=(_PREFERRED,) if note == self.preferred else ()) for note in self.sure if note in found
        ]
        rest = (
            Found(note, min(score / top, 1.0) if top > 0 else 0.0)
            for note, score in in_steady_order(self.connection, ranked, visibility.kept.paths)
            if note not in self.sure
        )
        return [*visibility.of(first), *islice(visibility.of(rest), self.settings.candidates)]

    def _staged(self, question: Question, corpus: IndexCorpus, ranked: Sequence[Found]) -> Sequence[Found]:
        for name in self.settings.stages:
            reason = self._left_out(name)
            if name == "exploration" and not (self.asked.explores and self.asked.only is None):
                reason = "left out"
            if reason:
                self.stages.append(PartReport(name, PartState.SKIPPED, reason))
                continue
            stage: Stage | None = self._load(STAGES, name, self.stages)
            if stage is not None:
                ranked = self._apply(name, stage, question, corpus, ranked)
        # What was asked for literally comes first, whatever a stage made of it (G.5-67).
        by_note = {found.note: found for found in ranked}
        first = [by_note[note] for note in self.literal if note in by_note]
        return [*first, *(found for found in ranked if found.note not in self.literal)]

    def _apply(
        self, name: str, stage: Stage, question: Question, corpus: IndexCorpus, ranked: Sequence[Found]
    ) -> Sequence[Found]:
        began = time.perf_counter()
        given = self._guarded(name, self.stages, began, lambda: stage.apply(question, ranked, corpus))
        if given is None or isinstance(given, Skipped):
            return ranked
        result: Sequence[Found] = given
        moved = sum(1 for old, new in zip(ranked, given, strict=False) if old.note != new.note)
        took = (time.perf_counter() - began) * 1000
        self.stages.append(PartReport(name, PartState.RAN, "", moved, took))
        if self.steered is not None:
            before, after = ({found.note: found.score for found in one} for one in (ranked, result))
            self.steered.saw(name, before, after, took)
        return result

    def _load(self, group: str, name: str, reports: list[PartReport]) -> Any:
        """The part, or None where it is broken; a name that the person typed must be known."""
        try:
            return self.parts.load(group, name)
        except (PluginError, UserError) as error:
            if isinstance(error, ConfigError) or name in (self.asked.only or ()):
                raise
            reports.append(PartReport(name, PartState.FAILED, str(error)))
            return None

    def _guarded(self, name: str, reports: list[PartReport], began: float, work: Callable[[], Any]) -> Any:
        """What a plugin gives; None where it has nothing to say or fails, which is told."""
        try:
            said = work()
        except sqlite3.Error:
            raise  # The index is broken: it is set aside, built anew and asked again.
        except Exception as error:  # foreign code: one broken part does not take the answer away
            reason = (
                str(error) if isinstance(error, AriesError) else f"it is defective: {type(error).__name__}: {error}"
            )
            reports.append(PartReport(name, PartState.FAILED, reason))
            return None
        if isinstance(said, Skipped):
            reports.append(PartReport(name, PartState.SKIPPED, said.reason, 0, (time.perf_counter() - began) * 1000))
            return None
        return said

    def _told(self, question: Question, shown: Shown, note_count: int, milliseconds: float) -> Answer:
        notices = [*unknown_projects(self.connection, self.asked.projects)]
        notices += [f"{part.name}: {part.reason}" for part in (*self.signals, *self.stages) if _is_news(part)]
        told = [self.reading.notice] if self.reading.notice else []
        period = question.period
        return Answer(
            question=self.asked.text,
            intent=question.intent.value,
            hits=shown.hits,
            confidence=shown.confidence,
            verdict=shown.verdict if shown.hits else Verdict.NOTHING,
            signals=tuple(self.signals),
            stages=tuple(self.stages),
            notices=(*told, *notices),
            reading=self.reading.notice,
            period=str(period or ""),
            note_count=note_count,
            left_out=shown.left_out,
            milliseconds=milliseconds,
        )


def _is_news(part: PartReport) -> bool:
    """What failed, and what ran on a part of the notes only; what had nothing to say is no news."""
    return part.state is PartState.FAILED or (part.state is PartState.RAN and bool(part.reason))


def _mere_lists(found: Mapping[int, float], question: Question, corpus: IndexCorpus) -> set[int]:
    """Those of the best that hold the words of the question only since they name all notes there are."""
    lists = corpus.lists([note for note, _ in best(found, _LOOKED_AT) if note not in question.named])
    rarity = corpus.rarity(question.words) if lists else {}
    views = corpus.describe(lists)
    return {
        note
        for note, view in views.items()
        if share_held(corpus, question, " ".join((view.title, *view.aliases)), rarity) < _NAMES_IT
    }


def _without_tails(votes: list[Vote]) -> list[Vote]:
    """Of a vote for very many notes its best and those that another found too: thousands may be a little warm."""
    if all(len(vote.scores.scores) <= _MOST_VOTED for vote in votes):
        return votes
    kept = []
    for vote in votes:
        scores = vote.scores.scores
        if len(scores) > _MOST_VOTED:
            others = {note for other in votes if other is not vote for note in other.scores.scores}
            # What is as good as the first that is left out is left out with it.
            *_, (_, least) = best(scores, FOUND + 1)
            scores = {note: score for note, score in scores.items() if score > least or note in others}
        kept.append(evolve(vote, scores=evolve(vote.scores, scores=scores)))
    return kept


def _set_back(found: Mapping[int, float], lists: Collection[int], kept: float) -> dict[int, float]:
    return {note: score * kept if note in lists else score for note, score in found.items()}

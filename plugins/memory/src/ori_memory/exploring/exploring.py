"""An exploration: a flat pass, the links around it, then rounds of sub-questions until nothing new comes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from attrs import define, field

from aries_kernel.errors import UserError
from ori_memory.exploring.around import expand
from ori_memory.exploring.bridging import bridges
from ori_memory.exploring.decomposing import COMPARED, Part, parts_of
from ori_memory.exploring.exploration import Decompose, Exploration, Exploring, Origin, Pass, SubQuestion
from ori_memory.exploring.ground import Ground
from ori_memory.exploring.pool import Found, Pool
from ori_memory.exploring.showing import show
from ori_memory.retrieval.answer import Answer, Verdict

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["explore"]

T = TypeVar("T")

SEEDS = 5
"""Notes of the flat pass whose links are followed."""
QUESTIONS = 3
"""Sub-questions a round."""
DEPTHS = (1, 2, 3)
_BY_FORM = 2
"""Of them come first from the question's form; what its notes leave open goes before the rest."""
_ANSWERS = 8
"""Notes a sub-question brings."""
_GRAPH = 1.5
"""What a note at the end of a link counts beside one of the flat pass; the fit of few comes near 1."""
_QUESTION = 0.6
"""The same of a sub-question's answer in the first round."""
_DECAY = 0.6
"""What each further round leaves of that."""
_FEW = 0.15
"""A round of which less is new ends it."""
_ENOUGH = 30
"""So many notes beyond those of the flat pass end it."""
_ROUNDS = 2


def explore(memory: Memory, exploring: Exploring, decompose: Decompose | None = None) -> Exploration:
    """Notes that answer the question or lead to its answer. Nothing is written.

    `decompose` (None: the model that the settings name, if they do) is asked for sub-questions before the rules, which
    go on where it gives none or fails.
    Raises: as `ask`; UserError for a depth that is none.
    """
    if exploring.depth not in DEPTHS:
        raise UserError(f"The depth must be 1, 2 or 3, not {exploring.depth}.")
    settings = memory.vault.config.llm
    if decompose is not None or not settings.model or exploring.is_fast:
        return _Exploring(memory, exploring, decompose).run()
    from ori_memory.exploring.asking_model import Asking

    with Asking.open(memory.vault.root, settings, memory.environ) as asking:
        return _Exploring(memory, exploring, asking).run()


@define
class _Exploring:
    """One exploration at work."""

    memory: Memory
    exploring: Exploring
    decompose: Decompose | None
    pool: Pool = field(factory=Pool)
    passes: list[Pass] = field(factory=list)
    asked: list[SubQuestion] = field(factory=list)
    notices: list[str] = field(factory=list)
    sides: list[Answer] = field(factory=list)
    """What was found for each side of a comparison."""
    brought: int = 0
    """Notes that sub-questions added."""

    def run(self) -> Exploration:
        began = time.perf_counter()
        flat = self._flat()
        seeds = self.pool.best(SEEDS) if flat.hits else []
        self._graph(seeds)
        stopped, is_converged = self._rounds() if self.exploring.is_recursive and seeds else ("", False)
        sure = self._surest(flat)
        shown = self._look(lambda ground: show(ground, self.exploring, self.pool, seeds, self.asked))
        return Exploration(
            question=flat.question,
            intent=flat.intent,
            discoveries=shown.discoveries,
            confidence=sure.confidence,
            verdict=sure.verdict if shown.discoveries else Verdict.NOTHING,
            trails=shown.trails,
            passes=tuple(self.passes),
            sub_questions=tuple(self.asked),
            stopped=stopped,
            is_converged=is_converged,
            seeds=len(seeds),
            candidates=len(self.pool.notes),
            notices=tuple(dict.fromkeys([*flat.notices, *self.notices])),
            left_out=shown.left_out,
            milliseconds=(time.perf_counter() - began) * 1000,
        )

    def _flat(self) -> Answer:
        began = time.perf_counter()
        answer = self.memory.answer(self.exploring.asked(self.exploring.text, 2 * self.exploring.limit))
        for hit in answer.hits:
            self.pool.add(Found(hit.path, hit.score, Origin.FLAT, "", hit.snippet))
        count = len(answer.hits)
        self.passes.append(Pass("flat", 0, count, count, (time.perf_counter() - began) * 1000))
        return answer

    def _surest(self, flat: Answer) -> Answer:
        """A comparison whose sides were all found is as sure as the weakest: no note has to tell of both."""
        weakest = min(self.sides, key=lambda side: side.confidence, default=flat)
        return weakest if len(self.sides) > 1 and weakest.confidence > flat.confidence else flat

    def _graph(self, seeds: Sequence[Found]) -> None:
        began = time.perf_counter()
        found = self._look(lambda ground: self._reached(ground, seeds))
        new = sum([self.pool.add(one) for one in found])
        self.passes.append(Pass("graph", self.exploring.depth, len(found), new, (time.perf_counter() - began) * 1000))

    def _reached(self, ground: Ground, seeds: Sequence[Found]) -> list[Found]:
        numbers = ground.numbers([one.path for one in seeds])
        seen = ground.views(numbers.values())
        weights = {numbers[one.path]: one.score for one in seeds if numbers.get(one.path) in seen}
        ways = expand(ground, weights, self.exploring.depth)
        views = ground.views({*ways, *weights})
        return [
            Found(views[num].path, _GRAPH * way.score, Origin.GRAPH, views[way.seed].title)
            for num, way in ways.items()
            if num in views
        ]

    def _rounds(self) -> tuple[str, bool]:
        """Rounds of sub-questions; why they ended, and whether because nothing more was to be found."""
        for depth in range(1, min(self.exploring.depth, _ROUNDS) + 1):
            parts = self._parts(depth)
            if not parts:
                return "no further question", True
            found, new = self._round(parts, depth)
            if new < _FEW * found or not new:
                return "the last round brought hardly anything new", True
            if self.brought >= _ENOUGH:
                return f"{self.brought} notes beyond the flat pass are enough", True
        return "as deep as it may go", False

    def _round(self, parts: Sequence[Part], depth: int) -> tuple[int, int]:
        began = time.perf_counter()
        before = len(self.pool.notes)
        found = sum([self._ask(part, depth) for part in parts])
        new = len(self.pool.notes) - before
        self.brought += new
        self.passes.append(Pass("questions", depth, found, new, (time.perf_counter() - began) * 1000))
        return found, new

    def _ask(self, part: Part, depth: int) -> int:
        answer = self.memory.answer(self.exploring.asked(part.text, _ANSWERS))
        if part.reason == COMPARED:
            self.sides.append(answer)
        weight = _QUESTION * _DECAY ** (depth - 1)
        new = 0
        for hit in answer.hits if answer.verdict is not Verdict.NOTHING else ():
            new += self.pool.add(Found(hit.path, weight * hit.score, Origin.QUESTION, part.text, hit.snippet))
        end = "nothing relevant" if answer.verdict is Verdict.NOTHING else "" if new else "nothing new"
        self.asked.append(SubQuestion(part.text, part.reason, depth, len(answer.hits), new, end))
        return len(answer.hits)

    def _parts(self, depth: int) -> list[Part]:
        """What to ask in this round: nothing twice."""
        best = self.pool.best(SEEDS)
        parts = self._from_model(best) if self.decompose is not None else None
        if not parts:
            parts = self._look(lambda ground: self._by_rules(ground, best, depth))
        known = {_plain(one.text) for one in self.asked} | {_plain(self.exploring.text)}
        fresh = {_plain(part.text): part for part in parts if part.text.strip() and _plain(part.text) not in known}
        return list(fresh.values())[:QUESTIONS]

    def _from_model(self, best: Sequence[Found]) -> list[Part] | None:
        assert self.decompose is not None
        numbers = self._look(lambda ground: ground.views(ground.numbers([one.path for one in best]).values()))
        try:
            texts = self.decompose(self.exploring.text, [view.title for view in numbers.values()])
            return [Part(text, "asked by the model") for text in texts]
        except Exception as error:  # foreign code: a model that is away does not take the exploration with it
            self.notices.append(f"The sub-questions come from rules, since the model gave none: {error}")
            self.decompose = None
            return None

    def _by_rules(self, ground: Ground, best: Sequence[Found], depth: int) -> list[Part]:
        """What the question's form gives, in the first round, and what the notes found leave open."""
        numbers = ground.numbers([one.path for one in best])
        ranked = [(numbers[one.path], one.score) for one in best if one.path in numbers]
        left = [
            Part(one.text, f"'{one.title}' leaves this open and names {one.name}") for one in bridges(ground, ranked)
        ]
        if depth > 1:
            return left
        named = ground.views(ground.named).values()
        by_form = parts_of(self.exploring.text, [name for view in named for name in (view.title, *view.aliases)])
        return [*by_form[:_BY_FORM], *left, *by_form[_BY_FORM:]]

    def _look(self, question: Callable[[Ground], T]) -> T:
        asked = self.exploring.asked(self.exploring.text, self.exploring.limit)
        return self.memory.index.read(lambda connection: question(Ground.over(self.memory, connection, asked)))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())

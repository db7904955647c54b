"""From all that was found to what is shown: what may be seen, the best of it, in a few lines each."""

from __future__ import annotations

import json
from collections.abc import Sequence

from attrs import evolve, frozen

from ori_memory.exploring.exploration import Discovery, Exploring, Origin, Preview, SubQuestion, Trail
from ori_memory.exploring.ground import Ground
from ori_memory.exploring.pool import Found, Pool
from ori_memory.exploring.trails import trails
from ori_memory.index.records import fetch_records
from ori_memory.retrieval.showing import tokens_of
from ori_memory.retrieval.snippets import LENGTH, snippet_of

__all__ = ["Shown", "previews", "show"]

_AROUND = 60
"""Tokens of an answer beside its notes."""
_SHORT = 60
_LINKS = 8
_LINKED = (
    "SELECT DISTINCT l.src, l.dst FROM link l WHERE l.dst NOTNULL AND l.dst != l.src "
    "AND l.src IN (SELECT value FROM json_each(?)) ORDER BY l.src, l.position"
)


@frozen
class Shown:
    discoveries: tuple[Discovery, ...]
    trails: tuple[Trail, ...]
    left_out: int


def show(
    ground: Ground, exploring: Exploring, pool: Pool, seeds: Sequence[Found], asked: Sequence[SubQuestion]
) -> Shown:
    """The filter comes last here too, so that nothing hidden returns by another way (G.5-65)."""
    numbers = ground.numbers(list(pool.notes))
    seen = ground.views(numbers.values())
    chosen = [one for one in pool if numbers.get(one.path) in seen][: exploring.limit]
    notes = {numbers[one.path]: one for one in chosen}
    looks = previews(ground, list(notes))
    bodies = ground.corpus.texts(notes) if exploring.include_content else {}
    found = [
        Discovery(
            path=one.path,
            id=seen[num].id,
            title=seen[num].title,
            score=round(min(one.score, chosen[0].score), 4),
            origin=one.origin,
            found_by=one.found_by,
            preview=looks[num],
            content=bodies.get(num, ""),
        )
        for num, one in notes.items()
    ]
    starts = [numbers[one.path] for one in seeds if numbers.get(one.path) in seen]
    ends = [num for num, one in notes.items() if one.origin is not Origin.FLAT]
    ways = trails(ground, starts, ends) if ends else ()
    if exploring.budget is None:
        return Shown(tuple(found), ways, 0)
    left = exploring.budget - _AROUND - tokens_of(json.dumps([one.text for one in asked], ensure_ascii=False))
    kept, left = _within(found, left)
    return Shown(tuple(kept), _fitting(ways, left), len(found) - len(kept))


def previews(ground: Ground, notes: Sequence[int]) -> dict[int, Preview]:
    """Each note in a few lines, the part that fits the question first."""
    records = fetch_records(ground.connection, notes)
    bodies = ground.corpus.texts(notes)
    chosen = json.dumps(list(notes))
    query = "SELECT num, body_line FROM note WHERE num IN (SELECT value FROM json_each(?))"
    lines = dict(ground.connection.execute(query, (chosen,)).fetchall())
    links: dict[int, list[int]] = {}
    for source, target in ground.connection.execute(_LINKED, (chosen,)):
        links.setdefault(source, []).append(target)
    targets = ground.views({target for found in links.values() for target in found})
    made = {}
    for num, record in records.items():
        snippet = snippet_of(bodies.get(num, ""), ground.rarity)
        line = lines[num] + snippet.line + 1 if snippet.text else 0
        titles = dict.fromkeys([targets[target].title for target in links.get(num, ()) if target in targets])
        made[num] = Preview(record.description, snippet.text, line, record.type, tuple(titles)[:_LINKS])
    return made


def _within(found: Sequence[Discovery], left: int) -> tuple[list[Discovery], int]:
    """As many notes as fit, the content and then the preview given up first; the first note is always there."""
    kept: list[Discovery] = []
    for place, one in enumerate(found):
        for short in _shorter(one):
            cost = _cost(short)
            if cost <= left or (place == 0 and not short.preview.text):
                kept.append(short)
                left -= cost
                break
        else:
            break
    return kept, left


def _shorter(one: Discovery) -> list[Discovery]:
    look = one.preview
    bare = evolve(one, content="", preview=evolve(look, description="", text="", line=0, links=()))
    brief = evolve(bare, preview=evolve(bare.preview, text=_cut(look.text, _SHORT), line=look.line))
    half = evolve(one, content="", preview=evolve(look, text=_cut(look.text, LENGTH // 2), links=look.links[:3]))
    return [one, evolve(one, content=""), half, brief, bare]


def _cost(one: Discovery) -> int:
    look = one.preview
    parts = [one.path, one.title, look.description, look.text, look.type, list(look.links), one.found_by, one.content]
    return tokens_of(json.dumps(parts, ensure_ascii=False)) + 24


def _fitting(ways: Sequence[Trail], left: int) -> tuple[Trail, ...]:
    kept = []
    for way in ways:
        left -= tokens_of(json.dumps([way.start, way.end, *way.via], ensure_ascii=False)) + 8
        if left < 0:
            break
        kept.append(way)
    return tuple(kept)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"

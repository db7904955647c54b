"""Spreading activation: what was useful warms its neighbours for a while (spec C.3)."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping

from aries_kernel.values import frozen
from ori_memory.vault.config import Activation

__all__ = ["HUB", "Boost", "Written", "combined_boost", "decay_rate", "decayed_boost", "merged_boost", "spread"]

Written = tuple[float, datetime.datetime, int, int]
"""A boost as far as its decay goes: its value, when it was written, how many accesses and how many sessions."""

NEGLIGIBLE = 0.001
QUERY_CAP = 0.05
HUB = 60
"""A note with more neighbours passes nothing on: what leads everywhere warms nothing in particular."""
KEPT_SESSIONS = 20


@frozen
class Boost:
    """The warmth of one note as it was when last written; `accesses` and `sessions` slow its decay."""

    value: float
    updated: datetime.datetime
    accesses: int = 0
    sessions: tuple[str, ...] = ()
    """The last 20, oldest first."""


DEFAULT = Activation()


def spread(
    neighbours: Mapping[str, Iterable[str]], utilities: Mapping[str, float], settings: Activation = DEFAULT
) -> dict[str, float]:
    """The boost of each note around the useful ones: utility x damping^hops from each, summed over all of them.

    `neighbours` is undirected. A source does not boost itself; a note is reached once per source, by the shortest way,
    and never through a note with more than 60 neighbours.
    """
    total: dict[str, float] = {}
    for source in sorted(utilities):
        for note, boost in _around(neighbours, source, utilities[source], settings).items():
            total[note] = total.get(note, 0.0) + boost
    return total


def _around(
    neighbours: Mapping[str, Iterable[str]], source: str, utility: float, settings: Activation
) -> dict[str, float]:
    found: dict[str, float] = {}
    seen, edge = {source}, [source]
    for hop in range(1, settings.max_hops + 1):
        boost = utility * settings.damping**hop
        if boost < settings.min_boost:
            break
        ways = (tuple(neighbours.get(note, ())) for note in edge)
        reached = {other for others in ways if len(others) <= HUB for other in others} - seen
        edge = sorted(reached)
        seen |= reached
        found.update(dict.fromkeys(edge, boost))
    return found


def decay_rate(accesses: int, sessions: int) -> float:
    """Per day. Never used: half gone after a week; used in many sessions: after about four."""
    return 0.1 / (1 + 0.2 * math.log1p(accesses) + 0.3 * math.log1p(sessions))


def decayed_boost(boost: Boost, now: datetime.datetime) -> float:
    """What is left of it at `now`; 0 where that is negligible. A clock that went back does not add warmth."""
    return _left((boost.value, boost.updated, boost.accesses, len(boost.sessions)), now)


def _left(written: Written, now: datetime.datetime) -> float:
    value, updated, accesses, sessions = written
    days = max(0.0, (now - updated).total_seconds() / 86_400)
    left = value * math.exp(-decay_rate(accesses, sessions) * days)
    return left if left >= NEGLIGIBLE else 0.0


def merged_boost(old: Boost | None, contribution: float, session: str, now: datetime.datetime) -> Boost:
    """The row after one query: first decay, then 1-(1-old)(1-new), where new is at most 0.05."""
    new = min(max(contribution, 0.0), QUERY_CAP)
    if old is None:
        return Boost(new, now, 1, (session,) if session else ())
    value = 1 - (1 - decayed_boost(old, now)) * (1 - new)
    sessions = old.sessions
    if session:
        sessions = (*(known for known in old.sessions if known != session), session)[-KEPT_SESSIONS:]
    # A clock that went back must not make later decay start twice.
    return Boost(min(1.0, value), max(old.updated, now), old.accesses + 1, sessions)


def combined_boost(boosts: Iterable[Written], now: datetime.datetime) -> float:
    """What a note carries from several machines: each part decays by itself, then they merge as contributions do."""
    cold = 1.0
    for boost in boosts:
        cold *= 1 - min(1.0, _left(boost, now))
    return 1 - cold

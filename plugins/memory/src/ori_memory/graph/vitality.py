"""How alive a note is: ACT-R's base level from its uses, its links, new connections and warmth (spec C.1)."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping
from enum import StrEnum

from attrs import field, frozen

from ori_memory.model import NoteRecord
from ori_memory.vault.config import VitalitySettings, ZoneThresholds

__all__ = ["Signs", "Vitality", "Zone", "base_level", "exponential_vitality", "revival", "vitality_of", "zone_of"]

BRIDGE_FLOOR = 0.5
REVIVAL_SHARE = 0.2
DECAY_DAYS = {"idea": 90, "decision": 30, "learning": 30, "insight": 30, "blocker": 14, "opportunity": 30}
_OTHER_DECAY_DAYS = 30


class Zone(StrEnum):
    ACTIVE = "active"
    STALE = "stale"
    FADING = "fading"
    ARCHIVED = "archived"


@frozen
class Signs:
    """What is known of one note's life."""

    accesses: int = 0
    first_access: datetime.datetime | None = None
    in_degree: int = 0
    new_connection: datetime.datetime | None = None
    """When it last got a link from another note; None: not known, or never."""
    boost: float = 0.0
    is_bridge: bool = False


@frozen
class Vitality:
    value: float
    zone: Zone
    steps: Mapping[str, float] = field(factory=dict)
    """The value after each step, for whoever asks why."""


DEFAULT = VitalitySettings()


def vitality_of(
    note: NoteRecord,
    signs: Signs,
    now: datetime.datetime,
    settings: VitalitySettings = DEFAULT,
    bridge_floor: float = BRIDGE_FLOOR,
) -> Vitality:
    """The spec's seven steps in their order. A note that was never used starts from 0.5 and ends at 0.25: fading."""
    rate = settings.metabolic_rates.get(note.space, settings.metabolic_rates.get("notes", 1.0))
    steps = {"base": base_level(signs.accesses, _age(note, signs, now), settings.actr_decay * rate)}
    value = steps["base"]
    value *= 1 + settings.structural_boost_per_link * min(signs.in_degree, settings.structural_boost_cap)
    steps["structure"] = value
    value *= 0.5 + 0.5 * _saturation(signs.accesses, settings.access_saturation_k)
    steps["saturation"] = value
    value += REVIVAL_SHARE * revival(signs.new_connection, now, settings)
    steps["revival"] = value
    value += signs.boost
    steps["activation"] = value
    if signs.is_bridge:
        value = max(value, bridge_floor)
        steps["bridge"] = value
    value = min(1.0, max(0.0, value))
    return Vitality(value, zone_of(value, note.status, settings.zone_thresholds), steps)


def base_level(accesses: int, days: float | None, decay: float) -> float:
    """sigmoid(ln(n/(1-d)) - d ln L): 0.5 without accesses, 1 on the first day, 0.5 where the age is not known."""
    if accesses <= 0 or days is None:
        return 0.5
    if days <= 0:
        return 1.0
    d = min(0.99, max(0.01, decay))
    level = math.log(accesses / (1 - d)) - d * math.log(days)
    return 1 / (1 + math.exp(-level)) if level >= 0 else math.exp(level) / (1 + math.exp(level))


def revival(new_connection: datetime.datetime | None, now: datetime.datetime, settings: VitalitySettings) -> float:
    """e^(-0.2 t) for t days since the note got a new connection, 0 after 14 days; one in the future counts as none."""
    if new_connection is None:
        return 0.0
    days = (now - new_connection).total_seconds() / 86_400
    return math.exp(-settings.revival_decay_rate * days) if 0 <= days < settings.revival_window_days else 0.0


def zone_of(value: float, status: str = "", thresholds: ZoneThresholds | None = None) -> Zone:
    """The zone of a value; the status `archived` decides by itself."""
    floors = thresholds or DEFAULT.zone_thresholds
    if status == "archived":
        return Zone.ARCHIVED
    if value >= floors.active_floor:
        return Zone.ACTIVE
    if value >= floors.stale_floor:
        return Zone.STALE
    return Zone.FADING if value >= floors.fading_floor else Zone.ARCHIVED


def exponential_vitality(note: NoteRecord, now: datetime.datetime, base: float = 1.0) -> float | None:
    """The older measure that `health` reports: base x e^(-days / days of the type). None: the note has no date."""
    day = note.created or (note.modified.date() if note.modified else None)
    if day is None:
        return None
    days = max(0, (now.date() - day).days)
    return base * math.exp(-days / DECAY_DAYS.get(note.type, _OTHER_DECAY_DAYS))


def _saturation(accesses: int, k: float) -> float:
    if accesses <= 0:
        return 0.0
    return 1 - math.exp(-accesses / k) if k > 0 else 1.0


def _age(note: NoteRecord, signs: Signs, now: datetime.datetime) -> float | None:
    """Days since it was made: as it says, else since its first use or, at the latest, its last change."""
    if note.created is not None:
        return float((now.date() - note.created).days)
    dates = [moment.date() for moment in (signs.first_access, note.modified) if moment is not None]
    return float((now.date() - min(dates)).days) if dates else None

"""Everything in the project that code can be compared with, by what it looks like."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import define, field, frozen

from aries_body.index.reading import suffix_of
from aries_body.judgement.lexing import Lexer, lexer_of
from aries_body.judgement.places import Atlas
from aries_body.judgement.profile import Profile, mark, packed_profile, profile_of, unpacked_profile
from aries_body.judgement.sketches import SKETCH, alike
from aries_body.tree.source import Unreadable
from aries_kernel.contracts.lexis import COMMON, Lexis

if TYPE_CHECKING:
    from aries_body.index.project import Project
    from aries_body.judgement.comparing import Piece
    from aries_body.judgement.grams import Numbers
    from aries_kernel.contracts import LanguagePack

__all__ = ["Candidate", "Library", "Spoken", "Unit", "lexer_for"]

_KEPT_AT_ONCE = 200
_MOST_POSTINGS = 400_000
"""Places of prints that are looked at for one question; the rarest prints come first."""
_SETTLED = 12
"""The share of units that may be outdated before everything is put together again."""


class Unit(NamedTuple):
    """A piece of code in the project."""

    path: str
    place: int
    """Among the symbols of the file."""
    start: int
    end: int
    size: int


class Spoken(NamedTuple):
    """How many files there are, by what their names end with and by language."""

    suffixes: Mapping[str, int]
    languages: Mapping[str, int]


class Candidate(NamedTuple):
    """A unit that shares stretches with a piece of code."""

    value: float
    """How much alike both seem, as far as what is kept of them tells."""
    unit: Unit
    stretches: float
    """How many prints both have; one that so many units have counts the less."""


def lexer_for(pack: LanguagePack | None) -> Lexer:
    """How a pack's language is read; a pack that does not say is read by what most languages share."""
    lexis = getattr(pack, "lexis", None)
    return lexer_of(lexis if isinstance(lexis, Lexis) else COMMON)


@define(eq=False)
class Library:
    """Profiles of all source files, made when first needed; files that change are taken out and put in again."""

    project: Project
    _profiles: dict[str, Profile] = field(factory=dict)
    _stale: set[str] | None = None
    """None: nothing was read yet."""
    _shelf: _Shelf | None = None
    _late: _Shelf | None = None
    """Units of files that changed since `_shelf` was made."""
    _gone: set[str] = field(factory=set)
    _atlas: Atlas | None = None
    _named: Counter[int] = field(factory=Counter)
    """How many files have a name, by its mark."""
    _spoken: tuple[int, Spoken] | None = None
    """With the generation of the project that it is of."""
    _families: dict[str, str] = field(factory=dict)
    """By language."""

    def touch(self, paths: Iterable[str]) -> None:
        """The text of these files changed, came or went."""
        if self._stale is not None:
            self._stale.update(paths)

    def profiles(self) -> dict[str, Profile]:
        """Of all source files."""
        self._settle()
        return self._profiles

    def atlas(self) -> Atlas:
        """What all files are about."""
        self._settle()
        if self._atlas is None:
            self._atlas = Atlas.of(self._profiles)
        return self._atlas

    def spoken(self) -> Spoken:
        """What the files of the project are written in."""
        generation, sources = self.project.generation, self.project.sources
        if self._spoken is None or self._spoken[0] != generation:
            languages = Counter(map(self.project.language, sources))
            self._spoken = generation, Spoken(Counter(map(suffix_of, sources)), languages)
        return self._spoken[1]

    def lexer(self, path: str) -> Lexer:
        """How a source file is read."""
        return lexer_for(self._pack(path))

    def family(self, path: str) -> str:
        """The family of languages that a source file belongs to."""
        language = self.project.language(path)
        if language not in self._families:
            pack = self._pack(path)
            self._families[language] = pack.family if pack is not None else language
        return self._families[language]

    def rarity(self, word: str) -> float:
        """How much it tells that two pieces have a name: 1 where one file of the project has it, 0 where all have."""
        if not (word[0].isalpha() or word[0] == "_"):
            return 1.0
        total = len(self._profiles)
        return math.log1p(total / max(1, self._named[mark(word)])) / math.log1p(total) if total else 1.0

    def candidates(self, piece: Piece, family: str, count: int) -> list[Candidate]:
        """Units of a family of languages that may be like a piece, the likeliest first."""
        import numpy as np

        self._settle()
        self._put_together()
        shelves = [(shelf, gone) for shelf, gone in ((self._shelf, self._gone), (self._late, set[str]())) if shelf]
        wanted = np.unique(piece.prints)
        places = [shelf.places(wanted, gone) for shelf, gone in shelves]
        times = sum((np.bincount(place.wanted, minlength=len(wanted)) for place in places), np.zeros(len(wanted), int))
        found: list[Candidate] = []
        for (shelf, _), place in zip(shelves, places, strict=True):
            found += shelf.like(place, np.maximum(times, 1), piece.sketch, shelf.families == family, count)
        found.sort(key=lambda one: (-one.value, one.unit))
        return found[:count]

    def _pack(self, path: str) -> LanguagePack | None:
        return self.project.packs.named(self.project.language(path)) or self.project.packs.get(suffix_of(path))

    def _settle(self) -> None:
        if self._stale is None:
            self._stale = set(self.project.sources)
        if not self._stale:
            return
        stale = sorted(self._stale)
        for path in stale:
            old = self._profiles.pop(path, None)
            if old is not None:
                self._named.subtract(old.names.tolist())
        self._gone.update(stale)
        self._late = self._atlas = None
        present = [path for path in stale if self.project.is_source(path)]
        kept = self.project.store.profiles(sorted({self.project.rows[path].key for path in present}))
        made: list[tuple[bytes, bytes]] = []
        for path in present:
            key, lexer = self.project.rows[path].key, self.lexer(path)
            profile = unpacked_profile(kept[key], lexer) if key in kept else None
            if profile is None:
                profile = self._made(path, lexer)
                made.append((key, packed_profile(profile, lexer)))
                if len(made) >= _KEPT_AT_ONCE:
                    self.project.store.keep_profiles(made)
                    made.clear()
            self._profiles[path] = profile
            self._named.update(profile.names.tolist())
        if made:
            self.project.store.keep_profiles(made)
        # Not before all is done: who is interrupted begins again.
        self._stale.clear()

    def _made(self, path: str, lexer: Lexer) -> Profile:
        try:
            source = self.project.text(path).encode("utf-8")
        except Unreadable:
            source = b""  # It went since the last look, and the next one finds that out.
        return profile_of(source, self.project.facts(path), lexer)

    def _put_together(self) -> None:
        if self._shelf is None or len(self._gone) * _SETTLED > len(self._profiles):
            self._shelf, self._late, self._gone = (
                _Shelf.of(self._profiles, sorted(self._profiles), self.family),
                None,
                set(),
            )
        elif self._late is None and self._gone:
            late = sorted(path for path in self._gone if path in self._profiles)
            self._late = _Shelf.of(self._profiles, late, self.family)


@frozen(eq=False)
class _Shelf:
    """Units of many files in rows of figures, and the places of each print."""

    paths: Sequence[str]
    families: Any
    """Of each path, that of its language."""
    files: Any
    """Of each unit, a number among `paths`."""
    rows: Any
    """Place, start, end and size of each unit."""
    sketches: Any
    prints: Any
    """Sorted."""
    owners: Any
    """The unit of each print."""
    weights: Any
    """All that the prints of a unit tell."""

    @classmethod
    def of(cls, profiles: dict[str, Profile], paths: Sequence[str], family: Callable[[str], str]) -> _Shelf:
        import numpy as np

        rows = [
            (place, *span, size)
            for path in paths
            for place, span, size in zip(profiles[path].places, profiles[path].spans, profiles[path].sizes, strict=True)
        ]
        total = len(rows)
        counts = [len(profiles[path].places) for path in paths]
        prints = np.concatenate([np.zeros(0, np.uint32), *(profiles[path].prints for path in paths)])
        units = np.fromiter((one for path in paths for one in profiles[path].counts), np.int64, total)
        owners = np.repeat(np.arange(total), units)
        # Twice in one unit tells no more than once.
        both = np.unique((prints.astype(np.uint64) << np.uint64(32)) | owners.astype(np.uint64))
        prints, owners = (both >> np.uint64(32)).astype(np.uint32), (both & np.uint64(0xFFFFFFFF)).astype(np.int64)
        _, times = np.unique(prints, return_counts=True)
        telling = np.repeat(_telling(times, total), times)
        weights = np.bincount(owners, telling, minlength=total)
        sketches = np.frombuffer(b"".join(profiles[path].sketches for path in paths), np.uint8).reshape(-1, SKETCH)
        files = np.repeat(np.arange(len(paths)), counts)
        families = np.array([family(path) for path in paths], object)
        return cls(paths, families, files, np.array(rows, np.int64).reshape(-1, 4), sketches, prints, owners, weights)

    def places(self, wanted: Numbers, gone: Collection[str]) -> _Places:
        """Where prints are, each once a unit. `gone`: files that are here no more."""
        import numpy as np

        first, last = np.searchsorted(self.prints, wanted, "left"), np.searchsorted(self.prints, wanted, "right")
        times = last - first
        order = np.argsort(times, kind="stable")
        order = order[(times[order] > 0) & (np.cumsum(times[order]) <= _MOST_POSTINGS)]
        ranges = [np.arange(first[one], last[one]) for one in order.tolist()]
        owners = self.owners[np.concatenate([np.zeros(0, np.int64), *ranges])]
        numbers = np.repeat(order, times[order])
        if gone:
            is_here = np.array([path not in gone for path in self.paths], bool)[self.files[owners]]
            owners, numbers = owners[is_here], numbers[is_here]
        return _Places(numbers, owners)

    def like(self, places: _Places, times: Any, sketch: bytes, taken: Any, count: int) -> list[Candidate]:
        """Units by the prints they share: as wholes, or as one that holds the other.

        `times`: how many units have each print; `taken`: files that count.
        """
        import numpy as np

        total = len(self.rows)
        telling = _telling(times, total)
        own = float(telling.sum())
        shared = np.bincount(places.owners, telling[places.wanted], minlength=total)
        touched = np.flatnonzero(shared)
        touched = touched[taken[self.files[touched]]]
        if not len(touched):
            return []
        both, theirs = shared[touched], self.weights[touched]
        names = alike(sketch, self.sketches[touched])
        whole = both / (own + theirs - both + 1e-9)
        part = both / (np.minimum(own, theirs) + 1e-9)
        value = np.maximum(whole, 0.6 * part) + 0.25 * names
        order = np.argsort(-value, kind="stable")[:count]
        stretches = np.bincount(places.owners, (1 / np.sqrt(times))[places.wanted], minlength=total)[touched]
        return [
            Candidate(one, Unit(self.paths[int(self.files[number])], *map(int, self.rows[number])), rare)
            for one, number, rare in zip(
                value[order].tolist(), touched[order].tolist(), stretches[order].tolist(), strict=True
            )
        ]


class _Places(NamedTuple):
    """Prints of a piece in a shelf."""

    wanted: Any
    """Which print of the piece."""
    owners: Any
    """The unit that has it."""


def _telling(times: Any, total: int) -> Any:
    """How much a print tells that so many of all units have."""
    import numpy as np

    return np.log1p(total / times)

"""How near to each other the words of a question stand in a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

__all__ = ["nearness"]

_STEM = 5
"""Letters of a word that stand for all its forms."""
_NEAR = 320
"""Characters, about fifty words: what somebody says on one thing, with what it answers."""
_LONGEST = 400_000


def nearness(texts: Mapping[int, str], rarity: Mapping[str, float]) -> dict[int, float]:
    """Of what each text holds of the words, the share that its best stretch holds, from 0 to 1.

    A text that holds none of them is left out. `rarity`: how much each word says.
    """
    stems: dict[str, float] = {}
    for word, says in rarity.items():
        stems[word[:_STEM]] = max(says, stems.get(word[:_STEM], 0.0))
    found = {}
    for key, text in texts.items():
        low = text[:_LONGEST].lower()
        places = sorted((place, stem) for stem in stems for place in _places(low, stem))
        if places:
            whole = sum(stems[stem] for stem in {stem for _, stem in places})
            found[key] = _best_stretch(places, stems) / whole
    return found


def _places(text: str, stem: str) -> Iterator[int]:
    """Where a word begins with `stem`, or is it where it is shorter; words of other scripts are not told apart."""
    is_apart, is_whole = stem.isascii(), len(stem) < _STEM
    place = text.find(stem)
    while place >= 0:
        before, after = text[max(0, place - 1) : place], text[place + len(stem) : place + len(stem) + 1]
        if not is_apart or not (before.isalnum() or (is_whole and after.isalnum())):
            yield place
        place = text.find(stem, place + 1)


def _best_stretch(places: Sequence[tuple[int, str]], stems: Mapping[str, float]) -> float:
    """The most that the words of a stretch say together."""
    most = said = 0.0
    first = 0
    counts = dict.fromkeys(stems, 0)
    for place, stem in places:
        counts[stem] += 1
        if counts[stem] == 1:
            said += stems[stem]
        while place - places[first][0] >= _NEAR:
            leaving = places[first][1]
            counts[leaving] -= 1
            if not counts[leaving]:
                said -= stems[leaving]
            first += 1
        most = max(most, said)
    return most

"""Code that is not in the project: in which language it is, and which functions it has."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import attrs
from attrs import frozen

from aries_body.judgement.comparing import Piece, read_pieces
from aries_body.judgement.lexing import CONSTANT, FIRST_NAME, Lexer
from aries_body.judgement.library import Library, lexer_for
from aries_body.judgement.units import units_of
from aries_kernel.contracts import FileFacts, LanguagePack, OtherLanguage, Symbol, TooIntricate
from aries_kernel.errors import BadArguments, UnknownName, UserError

if TYPE_CHECKING:
    from aries_body.index.packs import Packs

__all__ = ["Snippet", "Speaker", "read_snippet", "straightened"]

_LARGEST = 1_000_000
_MOSTLY = 0.7
_NOTEWORTHY = 6
"""Words outside of functions that may be those around one that is there already."""
_DEEP, _STEP = 8, 4
"""An only indentation of so many blanks is that of a method's body, whose own line has half of it."""
_CLOSING = ("}", "]", ")")
_MARKUP = ("<", "---")
"""How components begin."""


@frozen
class Speaker:
    """A language that a snippet may be in."""

    suffix: str
    pack: LanguagePack

    @property
    def lexer(self) -> Lexer:
        """How it is read."""
        return lexer_for(self.pack)


@frozen
class Snippet:
    """Code that somebody has written and not yet put anywhere."""

    text: str
    speaker: Speaker
    facts: FileFacts

    @property
    def language(self) -> str:
        """By the name of its pack."""
        return self.speaker.pack.name

    @property
    def note(self) -> str:
        """Where it is broken; empty where it is not."""
        line = self.facts.error_line
        return f"line {line} of the snippet could not be parsed as {self.language}" if line else ""

    @property
    def source(self) -> bytes:
        """What was read."""
        return self.text.encode("utf-8", "replace")

    def pieces(self) -> list[tuple[str, Piece]]:
        """Its functions with their names, and all of it, without one: first where much stands outside of them.

        All of it is left out where it is no more than its only function.
        """
        symbols, lexer, source = self.facts.symbols, self.speaker.lexer, self.source
        outer = [place for place in units_of(symbols) if not _is_inside(symbols[place].parent, symbols)]
        texts = [source[symbols[place].start : symbols[place].end].decode("utf-8", "replace") for place in outer]
        whole, *read = read_pieces([self.text, *texts], lexer)
        parts = [(symbols[place].qualified, piece) for place, piece in zip(outer, read, strict=True)]
        rest = whole.size - sum(piece.size for piece in read)
        if rest > (1 - _MOSTLY) * whole.size:
            return [("", whole), *parts]
        # Several functions may be those within one that is there already.
        return [*parts, ("", whole)] if len(parts) > 1 or rest >= _NOTEWORTHY else parts


def _is_inside(place: int, symbols: Sequence[Symbol]) -> bool:
    while place >= 0:
        if symbols[place].kind in ("function", "method"):
            return True
        place = symbols[place].parent
    return False


def read_snippet(library: Library, text: str, language: str | None) -> Snippet:
    """The snippet in the language that is given, or that fits it best among those of the project.

    Raises: BadArguments for no code, or what is no name of a language; UnknownName for a language that there is not;
    UserError where there is none.
    """
    if not isinstance(text, str) or not text.strip():
        raise BadArguments("There is no code to look at: the snippet is empty.")
    if len(text) > _LARGEST:
        raise BadArguments(f"The snippet has more than {_LARGEST:,} characters; give a part of it.")
    if language is not None and not isinstance(language, str):
        raise BadArguments(f"A language is given by its name, not as {language!r}.")
    # Halves of characters, as a cut in the middle of one leaves them, are no text.
    plain = straightened(text.encode("utf-8", "replace").decode("utf-8"))
    speakers = _speakers(library, language)
    if not plain.lstrip().startswith(_MARKUP):
        # Whatever holds no markup is code, and any text could stand in a component.
        speakers = [one for one in speakers if not getattr(one.pack, "reads_names", False)] or speakers
    familiar = [_familiarity(plain, speaker) for speaker in speakers]
    best: tuple[float, Snippet] | None = None
    refused = ""
    for place in sorted(range(len(speakers)), key=lambda place: (-familiar[place], place)):
        try:
            read = _read(plain, speakers[place])
        except TooIntricate as error:
            refused = f"The snippet cannot be read as {speakers[place].pack.name}: {error}. Give a part of it."
            continue
        if read is None:
            continue
        fitness = _fitness(read, familiar[place])
        if best is None or fitness > best[0]:
            best = fitness, read
        if not read.facts.error_line and read.facts.symbols:
            break  # None of the others has more of its own words in it.
    if best is None and refused:
        raise BadArguments(refused)
    if best is None:
        raise UserError("No language pack of this installation reads the snippet; name a language that is installed.")
    return best[1]


def straightened(text: str) -> str:
    """The snippet with plain line ends, moved to the left; its first line may have lost its indentation already."""
    plain = textwrap.dedent(text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\n").rstrip())
    first, _, rest = plain.partition("\n")
    indents = sorted({len(line) - len(line.lstrip()) for line in rest.split("\n") if line.strip()})
    if not indents or not indents[0] or first[:1].isspace():
        return f"{plain}\n"
    last = rest.rpartition("\n")[2]
    steps = [after - before for before, after in itertools.pairwise(indents)]
    step = min([*steps, *([indents[0]] if indents[0] < _DEEP else [])], default=_STEP)
    lost = len(last) - len(last.lstrip()) if last.lstrip()[:1] in _CLOSING else indents[0] - step
    lines = [line[lost:] if line[:lost].isspace() else line for line in rest.split("\n")]
    return "\n".join([first, *lines]) + "\n"


def _fitness(snippet: Snippet, familiarity: float) -> float:
    """How well a language fits: how far it parses, it has definitions, its own words are in it."""
    line = snippet.facts.error_line
    parsed = (line - 1) / (snippet.text.count("\n") + 1) if line else 1.0
    return parsed + 0.5 * bool(snippet.facts.symbols) + familiarity


def _familiarity(text: str, speaker: Speaker) -> float:
    """The share of all words in a text that are words of a language."""
    lexer = speaker.lexer
    plain = [code for word in lexer.words(text) if word[0].isalpha() and (code := lexer.code(word)) >= CONSTANT]
    return round(sum(code != FIRST_NAME for code in plain) / max(1, len(plain)), 3)


def _speakers(library: Library, language: str | None) -> list[Speaker]:
    """Languages of the project, those with the most files first; then the other ones that are installed."""
    packs, spoken = library.project.packs, library.spoken()
    counts, files = spoken.suffixes, spoken.languages
    suffixes = [suffix for suffix, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))]
    if language is None:
        # A suffix may stand for several languages, as that of headers does.
        there = _distinct(packs, suffixes)
        if not files.keys() <= {one.pack.name for one in there}:
            there = _distinct(packs, [*suffixes, *packs.places])
        there = [one for one in there if one.pack.name in files]
        return sorted(there, key=lambda one: -files[one.pack.name]) or _distinct(packs, packs.places)
    wanted = language.strip().lower().lstrip(".")
    every = _distinct(packs, [*suffixes, *packs.places])
    for speaker in every:
        if wanted == speaker.pack.name:
            return [speaker]
    pack = packs.get(wanted)
    if pack is not None:
        return [Speaker(wanted, pack)]
    raise UnknownName("language", language, sorted({speaker.pack.name for speaker in every}))


def _distinct(packs: Packs, suffixes: Iterable[str]) -> list[Speaker]:
    found: dict[str, Speaker] = {}
    for suffix in suffixes:
        pack = packs.get(suffix)
        if pack is not None:
            found.setdefault(pack.name, Speaker(suffix, pack))
    return list(found.values())


def _read(text: str, speaker: Speaker) -> Snippet | None:
    source, path = text.encode("utf-8", "replace"), f"snippet.{speaker.suffix}"
    try:
        best = Snippet(text, speaker, speaker.pack.read(source, path, is_final=True))
        # A part of a file may be whole where it stands.
        for before, after in speaker.lexer.contexts:
            if not best.facts.error_line:
                break
            head, tail = before.encode("utf-8"), after.encode("utf-8")
            wrapped = speaker.pack.read(head + source + tail, path, is_final=True)
            if not 0 < wrapped.error_line <= best.facts.error_line:
                best = Snippet(text, speaker, _without(wrapped, len(head), len(source)))
    except (UserError, OtherLanguage):
        return None  # Its grammar is not installed.
    return best


def _without(facts: FileFacts, before: int, size: int) -> FileFacts:
    """Facts as if what stood around the text had not been there."""
    kept: dict[int, int] = {}
    symbols: list[Symbol] = []
    outer = ""
    for place, one in enumerate(facts.symbols):
        if one.start < before or one.end > before + size:
            outer = f"{one.qualified}."
            continue
        kept[place] = len(symbols)
        symbols.append(
            one._replace(
                qualified=one.qualified.removeprefix(outer),
                start=one.start - before,
                end=one.end - before,
                parent=kept.get(one.parent, -1),
            )
        )
    return attrs.evolve(facts, symbols=tuple(symbols), exports=(), references=())
